/**
 * How much a value must look like a secret when only its surroundings speak for it:
 * any = no placeholder, opaque = letters with digits, random = nobody would type that.
 */
export type Look = 'any' | 'opaque' | 'random'

/** One kind of secret that has a form or surroundings of its own. */
export interface SecretKind {
  kind: string
  /** In lower case; the pattern is tried only where one of these stands, and begins there. */
  anchors: readonly string[]
  /** The first group is kept: it is the part before the secret. A group `lead` is the part before the anchor. */
  pattern: RegExp
  look?: Look
  /** Texts that must be caught; the secret part stands between « and », ‹a36› is filled in with 36 made-up signs. */
  samples: readonly string[]
}

/** A command that takes a secret which no name gives away. */
export interface CommandKind {
  kind: string
  /** Programs with their subcommands. */
  commands: readonly string[]
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
  /** As for the other kinds. */
  samples: readonly string[]
}
