import * as fc from 'fast-check'

/** Text of the kinds that break things: any Unicode, controls, directions, line ends of all sorts, astral pairs. */
export const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !/\p{Surrogate}/u.test(text)),
  fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '|',
      '"',
      '<',
      '>',
      '\\',
      '\t',
      '\n',
      '\r',
      '\r\n',
      '\u0000',
      '\u001b',
      '\u0085',
      '\u200b',
      '\u2028',
      '\u2029',
      '\u202e',
      '\u2066',
      '\ufeff',
      '\u{e0041}',
      '😀',
      '👩‍💻',
      'ä',
    ),
    maxLength: 60,
  }),
)
