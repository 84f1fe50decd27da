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

export const alnum = (least: number): string => `[A-Za-z0-9]{${least},}`
export const word = (least: number): string => String.raw`[\w-]{${least},}`
export const base64 = (least: number): string => `[A-Za-z0-9+/]{${least},}={0,2}`
export const hex = (length: number): string => `[0-9a-f]{${length}}(?![0-9A-Za-z])`
export const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9A-Za-z])'

/** A secret begins a word; an escaped line end, a colour code and a percent code end the word before. */
const beginAfter = (inWord: string): string =>
  String.raw`(?:(?<!${inWord})|(?<=\\[nrt])|(?<=\x1b\[[0-9;]{0,12}m)|(?<=%[0-9A-F]{2}))`

const begin = beginAfter('[A-Za-z0-9]')

/** For patterns that read on for an end that may not come: in what they read, they cannot begin again. */
export const beginApart = beginAfter(String.raw`[\w-]`)

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)

/** A token that its first signs give away. */
export const token = (kind: string, starts: string, rest: string, ...samples: string[]): SecretKind => {
  const anchors = starts.split(' ')
  const pattern = new RegExp(`${begin}(?:${anchors.map(escape).join('|')})${rest}`, 'y')
  return { kind, anchors: anchors.map((start) => start.toLowerCase()), pattern, samples }
}

/** A token that signs in its middle give away. */
export const tokenAround = (
  kind: string,
  lead: string,
  middle: string,
  rest: string,
  ...samples: string[]
): SecretKind => ({
  kind,
  anchors: [middle.toLowerCase()],
  pattern: new RegExp(`(?<=(?<![A-Za-z0-9])(?<lead>${lead}))${escape(middle)}${rest}`, 'y'),
  samples,
})
