import { flatten } from '../../../base/shell/flatten.ts'
import { baseName, programIndex } from '../../../base/shell/programs.ts'
import { catalogue } from './catalogue/catalogue.ts'
import type { KnownFailure } from './catalogue/known.ts'
import type { Failure } from './failure.ts'
import { oneLine, plainOutput } from './plain.ts'

/** What a failure of a known kind usually means. */
export interface Explanation {
  readonly name: string
  readonly family: string
  /** Says more than the output does. */
  readonly isTelling: boolean
  readonly means: string
  /** Commands that look or repair, best first. */
  readonly run: readonly string[]
}

interface Known extends KnownFailure {
  readonly family: string
}
type Captures = Readonly<Record<string, string | undefined>>

const LONGEST_CAPTURE = 120
/** Only such a word may go from an output into a command. */
const PLAIN_WORD = /^[\w@+.,:/~][\w@%+=.,:/~-]*$/
const PLACE = /(?<!@)\{(\w+)\}/g

/** Ranks what fits: the cause before its consequences, what one program says before what many say. */
export const specificity = ({ vague, general, programs, exits, output }: KnownFailure): number =>
  (vague === true ? 0 : 1000) +
  (general === true ? 0 : 500) +
  (programs === undefined ? 0 : 200) +
  (exits === undefined ? 0 : 100) +
  (output === undefined ? 0 : 50)

const known: readonly Known[] = Object.entries(catalogue)
  .flatMap(([family, failures]) => failures.map((failure) => ({ ...failure, family })))
  .toSorted((a, b) => specificity(b) - specificity(a))

/** The most specific known failure that fits, with what to do about it. */
export function explain(failure: Failure): Explanation | undefined {
  const looked = lookAt(failure)
  for (const candidate of known) {
    const captures = capturesOf(candidate, looked)
    if (captures !== undefined) return explanation(candidate, { program: looked.programs[0], ...captures })
  }
  return undefined
}

interface Looked {
  readonly exit: number | null
  readonly text: string
  /** Every program of the line, with the one that the line is about first. */
  readonly programs: readonly string[]
}

export const lookAt = ({ command, exit, output }: Failure): Looked => ({
  exit,
  text: plainOutput(output),
  programs: programsOf(command),
})

function programsOf(command: string): readonly string[] {
  const names: string[] = []
  for (const piece of flatten(command)) {
    if (!('command' in piece)) continue
    const words = piece.command.words.map(({ value }) => value)
    const name = baseName(words[programIndex(words)] ?? '')
    if (name !== '') names.push(name)
  }
  return [...names.filter((name) => name !== 'cd'), ...names.filter((name) => name === 'cd')]
}

/** What the output names, if it is this failure. */
export function capturesOf({ programs, exits, output }: KnownFailure, looked: Looked): Captures | undefined {
  if (exits !== undefined && (looked.exit === null || !exits.includes(looked.exit))) return undefined
  if (programs !== undefined && !looked.programs.some((name) => programs.includes(name))) return undefined
  if (output === undefined) return {}
  for (const pattern of output) {
    const found = pattern.exec(looked.text)
    if (found !== null) return found.groups ?? {}
  }
  return undefined
}

const explanation = ({ name, family, vague, obvious, means, run }: Known, captures: Captures): Explanation => ({
  name,
  family,
  isTelling: vague !== true && obvious !== true,
  means: means.replaceAll(PLACE, (_place, key: string) => oneLine(captures[key] ?? '…', LONGEST_CAPTURE)),
  run: run.flatMap((command) => filled(command, captures) ?? []),
})

/** Nothing if a place has no value, or one that a shell could take for more than a word. */
function filled(command: string, captures: Captures): string | undefined {
  const values = [...command.matchAll(PLACE)].map(([, key = '']) => captures[key])
  if (!values.every(isPlainWord)) return undefined
  return command.replaceAll(PLACE, (_place, key: string) => captures[key] ?? '')
}

const isPlainWord = (value: string | undefined): boolean =>
  value !== undefined && value.length <= LONGEST_CAPTURE && PLAIN_WORD.test(value)
