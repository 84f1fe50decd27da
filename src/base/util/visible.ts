/** Joins, colours or qualifies an emoji; between others nobody sees it. */
const selector = '[\\uFE0E\\uFE0F]'
const pictograph = `\\p{Extended_Pictographic}(?:\\p{Emoji_Modifier}|${selector})?`
const tagged = (region: string): string =>
  Array.from(region, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')

/** Sequences in which an unseen sign has its place: keycaps, the three flags with tags that fonts have, families and the like. */
const emoji = [
  `[0-9#*]\\uFE0F\\u20E3`,
  `\\u{1F3F4}(?:${['gbeng', 'gbsct', 'gbwls'].map(tagged).join('|')})\\u{E007F}`,
  `${pictograph}(?:\\u200D${pictograph})*`,
].join('|')

/**
 * Everything that could move a cursor, hide text, carry words that only a model reads, or pretend to be a new line: controls,
 * formats, surrogates, separators, private use, what is ignorable by default (variation selectors, tags, fillers …), and blanks
 * that are no spaces. Tab and line feed stay.
 */
const unsafe = [
  '\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F',
  '\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\p{Variation_Selector}',
  '\\u2800\\uFFFC\\u{1D159}\\u{16FE4}\\u{13439}-\\u{1343F}',
].join('')

const kept = new RegExp(`(${emoji})|[${unsafe}]`, 'gu')

/** The one way in which text of others becomes what a model or a person gets to read. What was escaped once stays as it is. */
export const escapeUnsafe = (text: string): string =>
  text.replace(kept, (found, sequence?: string) => sequence ?? `\\u{${found.codePointAt(0)?.toString(16)}}`)

/** The same for JSON, which means what it meant. */
export const escapeUnsafeJson = (json: string): string =>
  json.replace(
    kept,
    (found, sequence?: string) =>
      sequence ?? found.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )

/** Each line is marked, so that none of them can pass for a line of whatever stands around it. */
export const quote = (text: string): string => `| ${escapeUnsafe(text).replaceAll('\n', '\n| ')}`

/** What an emoji may be left with where a text is cut. */
const cutOff = /(?:\u200D|\uFE0E|\uFE0F|[\u{E0020}-\u{E007F}]|\p{Surrogate})+$/u

/** The beginning of a text that was escaped, so that it stays so. */
export const cutShown = (text: string, characters: number): string => {
  const all = Array.from(text)
  return all.length <= characters ? text : all.slice(0, characters).join('').replace(cutOff, '')
}
