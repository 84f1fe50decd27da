import { flatten } from '../../../base/shell/flatten.ts'
import { baseName, programIndex } from '../../../base/shell/programs.ts'
import { catalogue } from './catalogue/catalogue.ts'
import type { KnownFailure } from './catalogue/known.ts'
import { oneLine, plainOutput } from './plain.ts'
import type { Failure } from './signature.ts'

/** The usual meaning of a known kind of failure. */
export interface Explanation {
  readonly name: string
  readonly family: string
  /** Says more than the output does. */
  readonly isTelling: boolean
  readonly means: string
  /** Commands that look or repair, best first. */
  readonly run: readonly string[]
}

const longestCapture = 120
/** Only such a word may go from an output into a command. */
const plainWord = /^[\w@+.,:/~][\w@%+=.,:/~-]*$/
const placeholder = /(?<!@)\{(\w+)\}/g

/** Ranks matches: a cause before its consequences, messages of one program before those of many. */
export const specificity = ({ vague, general, programs, exits, output }: KnownFailure): number =>
  (vague === true ? 0 : 1000) +
  (general === true ? 0 : 500) +
  (programs === undefined ? 0 : 200) +
  (exits === undefined ? 0 : 100) +
  (output === undefined ? 0 : 50)

const known = Object.entries(catalogue)
  .flatMap(([family, failures]) => failures.map((failure) => ({ ...failure, family })))
  .toSorted((a, b) => specificity(b) - specificity(a))

/** The most specific known failure that matches, with advice. */
export const explain = (failure: Failure): Explanation | undefined => {
  const looked = lookAt(failure)
  for (const candidate of known) {
    const found = capturesOf(candidate, looked)
    if (found === undefined) continue
    const { name, family, vague, obvious, means, run } = candidate
    const captures: Captures = { program: looked.programs[0], ...found }
    return {
      name,
      family,
      isTelling: vague !== true && obvious !== true,
      means: means.replaceAll(placeholder, (_, key: string) => oneLine(captures[key] ?? '…', longestCapture)),
      run: run.flatMap((command) => {
        // A command is left out if a placeholder has no value, or one that a shell could read as more than a word.
        const values = [...command.matchAll(placeholder)].map(([, key = '']) => captures[key] ?? '')
        if (!values.every((value) => value.length <= longestCapture && plainWord.test(value))) return []
        return command.replaceAll(placeholder, (_, key: string) => captures[key] ?? '')
      }),
    }
  }
  return undefined
}

interface Looked {
  readonly exit: number | null
  readonly text: string
  /** Every program of the line, the main one first. */
  readonly programs: readonly string[]
}

export const lookAt = ({ command, exit, output }: Failure): Looked => {
  const names = flatten(command).flatMap((piece) => {
    const words = 'command' in piece ? piece.command.words.map(({ value }) => value) : []
    const name = baseName(words[programIndex(words)] ?? '')
    return name === '' ? [] : [name]
  })
  const programs = [...names.filter((name) => name !== 'cd'), ...names.filter((name) => name === 'cd')]
  return { exit, text: plainOutput(output), programs }
}

type Captures = Readonly<Record<string, string | undefined>>

/** The names in the output, if it is this failure. */
export const capturesOf = ({ programs, exits, output }: KnownFailure, looked: Looked): Captures | undefined => {
  if (exits !== undefined && (looked.exit === null || !exits.includes(looked.exit))) return undefined
  if (programs !== undefined && !looked.programs.some((name) => programs.includes(name))) return undefined
  if (output === undefined) return {}
  for (const pattern of output) {
    const found = pattern.exec(looked.text)
    if (found !== null) return found.groups ?? {}
  }
  return undefined
}
