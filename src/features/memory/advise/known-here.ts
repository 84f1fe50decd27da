import type { ShellLine } from '../../../base/shell/line.ts'
import type { Book } from '../book/book.ts'
import type { Tally } from '../book/entry.ts'
import { type Ground, lineFrom } from './line-from.ts'

export interface KnownHere {
  /** As it is to be run from here. */
  readonly text: string
  readonly runs: Tally
}

interface Known {
  readonly book: Book
  readonly lines: { read(source: string): ShellLine }
  readonly ground: Ground
}

/** Null for what was never run in this project, or leads out of the work tree that one is in. */
export function knownHere(source: string, cwd: string, { book, lines, ground }: Known): KnownHere | null {
  const text = lineFrom(source, cwd, ground)
  if (text === null) return null
  const runs = book.runs(lines.read(text), cwd) ?? book.runs(lines.read(source), cwd)
  return runs === null ? null : { text, runs }
}
