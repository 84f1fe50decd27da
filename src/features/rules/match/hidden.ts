import type { z } from 'zod'
import type { ShellMatcher } from '../../../contract/rule.ts'
import type { Opaque, ShellReading } from '../../../base/shell/reading.ts'
import type { Doubt } from './answer.ts'
import { listed } from './state.ts'

export type ShellFields = z.infer<typeof ShellMatcher>

const unreadKinds: readonly Opaque['kind'][] = ['unparsable', 'too long', 'too deep', 'too many', 'too costly']

const shownMax = 80

const shownPart = (text: string): string => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text)

/** A line of which a part was not read: what a rule forbids may stand there, unless the words of that part rule it out. */
export const unreadDoubt = ({ opaque }: ShellReading, mayHold: (unparsed: string) => boolean): Doubt | null => {
  const unread = opaque.find(({ kind, text }) => unreadKinds.includes(kind) && (kind !== 'unparsable' || mayHold(text)))
  return unread === undefined
    ? null
    : {
        kind: 'doubt',
        why: `this line ${unread.kind === 'too costly' ? 'is too costly to read' : `cannot be read (${unread.kind})`}, so nobody can tell what it runs: ${shownPart(unread.text)}`,
        advice: 'Write it plainly: shorter, in several calls, or as a script in a file that is then run.',
        isClosed: false,
      }
}

/** Where a guard's words could stand without being seen. */
export const hiddenDoubt = ({ opaque }: ShellReading, fields: ShellFields): Doubt | null => {
  const hiding = opaque.find((part) => mayHide(part, fields))
  return hiding === undefined
    ? null
    : {
        kind: 'doubt',
        why: `what this runs is only known when it runs (${hiding.kind}): ${shownPart(hiding.text)}`,
        advice: 'Write the program and its arguments out, without variables, substitutions or generated code.',
        isClosed: false,
      }
}

const mayHide = ({ kind, text }: Opaque, fields: ShellFields): boolean => {
  if (kind === 'dynamic code') return true
  if (kind === 'dynamic program') {
    // All words but the first, which is unknown.
    const args = text.trim().replace(/^("[^"]*"|'[^']*'|\$\([^)]*\)|`[^`]*`|\S)+/, '')
    return mayStandIn(args, groupsOf({ ...fields, program: undefined }), isShellMade)
  }
  return kind === 'foreign code' && mayStandIn(text, groupsOf(fields), isCodeMade)
}

const group = (given: string | string[] | undefined): string[][] => (given === undefined ? [] : [listed(given)])

/** Groups of words; each needs one of its words in the text. */
const groupsOf = ({ program, subcommand, flags, all_flags: all = [] }: ShellFields): string[][] => [
  ...group(program).map((names) => names.filter((name) => !name.startsWith('!'))),
  ...group(subcommand).map((words) => words.map((text) => text.split(' ')[0] ?? '')),
  ...group(flags),
  ...all.map((flag) => [flag]),
]

const isShellMade = /[$`*?[{\\]/
/** How other languages make a text of parts. */
const isCodeMade =
  /chr\(|fromCharCode|decode|b64|base64|\\x|\\u|\\[0-7]|join|\+|\.\.|%|format|replace|revers|\[::|argv|environ|env\b|stdin|input|open\(|read|pack/i

const mayStandIn = (text: string, groups: readonly string[][], isMade: RegExp): boolean => {
  if (isMade.test(text)) return true
  const bare = text.replace(/["']/g, '')
  // Bundles of flags and abbreviations make it enough that the letters of a flag are there.
  const mayHold = (word: string): boolean =>
    bare.includes((word.replace(/^-+/, '').split(/[*?{\\=]/)[0] ?? '').slice(0, word.startsWith('-') ? 1 : undefined))
  return groups.every((words) => words.some(mayHold))
}
