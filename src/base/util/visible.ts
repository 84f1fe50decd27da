/** Joins, colours or qualifies an emoji; invisible elsewhere. */
const selector = '[\\uFE0E\\uFE0F]'
const pictograph = `\\p{Extended_Pictographic}(?:\\p{Emoji_Modifier}|${selector})?`
const flags = ['gbeng', 'gbsct', 'gbwls'].map((region) =>
  Array.from(region, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join(''),
)

/** Sequences in which an invisible character is legitimate: keycaps, the three flags with tags that fonts have, families. */
const emoji = [
  `[0-9#*]\\uFE0F\\u20E3`,
  `\\u{1F3F4}(?:${flags.join('|')})\\u{E007F}`,
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

/** The only way in which text of others is shown to a model or a person. Escaped text stays as it is. */
export const escapeUnsafe = (text: string): string =>
  text.replace(kept, (found, sequence?: string) => sequence ?? `\\u{${found.codePointAt(0)?.toString(16)}}`)

/** The same for JSON, which means what it meant. */
export const escapeUnsafeJson = (json: string): string =>
  json.replace(kept, (found, sequence?: string) => {
    const units = Array.from({ length: found.length }, (_, at) => found.charCodeAt(at).toString(16).padStart(4, '0'))
    return sequence ?? units.map((unit) => `\\u${unit}`).join('')
  })

/** Marks each line, so that none can pass for a line of the text around it. */
export const quote = (text: string): string => `| ${escapeUnsafe(text).replaceAll('\n', '\n| ')}`

/** What an emoji may be left with where a text is cut. */
const cutOff = /(?:\u200D|\uFE0E|\uFE0F|[\u{E0020}-\u{E007F}]|\p{Surrogate})+$/u

/** The beginning of a text that was escaped, so that it stays so. */
export const cutShown = (text: string, characters: number): string => {
  const all = Array.from(text)
  return all.length <= characters ? text : all.slice(0, characters).join('').replace(cutOff, '')
}
