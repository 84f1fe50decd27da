import { appendFileSync } from 'node:fs'

/**
 * What really happened to "the model", written down by the stand-in itself the moment it happens and before any
 * transcript says so. A note is the text of one directive; nothing here knows fences, receipts or hooks.
 */
export type TruthLine = { at: number; conversation: string } & (
  | { kind: 'begin'; holds: string[] }
  | { kind: 'shown'; notes: string[] }
  | { kind: 'reply'; entry: string }
  | { kind: 'forget' }
  | { kind: 'acked'; note: string }
)

/** Each directive says something that no other text says. */
export const noteText = (note: string): string => `note ${note}`

/** Directive `dir_X` carries the note X. */
export const directiveOf = (note: string): string => `dir_${note}`
export const noteOf = (directive: string): string => directive.replace(/^dir_/, '')

const notePattern = /^\| note ([0-9a-f-]{36})$/gm

/** The notes that stand in a text, whole and on lines of their own. */
export const notesIn = (text: string): string[] => Array.from(text.matchAll(notePattern), ([, note = '']) => note)

/** A process that is killed loses nothing that the kernel has taken over. */
export const writeTruth = (file: string, line: TruthLine): void => appendFileSync(file, `${JSON.stringify(line)}\n`)
