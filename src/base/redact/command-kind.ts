import type { Look } from './secret-kind.ts'

/** Where the secret is among the words of a command. */
interface Where {
  /** Words whose next word, or what follows their `=`, is the secret. */
  next?: readonly string[]
  /** Words that the secret is joined to, as in `-psecret`. */
  joined?: readonly string[]
  /** The secret is this word after the command, counted from 0, flags aside; -1 is every one. */
  position?: number
  /** Flags whose next word is their own: it does not count. */
  others?: readonly string[]
  /** The secret is the last word, if this flag is given: the letter of a short one, or `-name`. */
  lastIf?: string
  /** The secret begins after this sign. */
  after?: ':' | '%' | ',' | '/' | '='
  /** What the word must look like to have a secret in it. */
  only?: RegExp
  /** The secret ends before this sign. */
  until?: '@'
  look?: Look
}

/** A command that takes a secret which no name gives away. */
export interface CommandKind extends Where {
  kind: string
  /** Programs with their subcommands. */
  commands: readonly string[]
  /** As for the other kinds. */
  samples: readonly string[]
}

export const list = (words: string): string[] => words.split('|')

export const command = (kind: string, programs: string, where: Where, ...samples: string[]): CommandKind => ({
  kind,
  commands: list(programs),
  ...where,
  samples,
})
