/** Everything that could move a cursor, hide text or pretend to be a new line; tab and line feed stay. */
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

export const escapeUnsafe = (text: string): string =>
  text.replace(unsafe, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)

/** Each line is marked, so that none of them can pass for a line of whatever stands around it. */
export const quote = (text: string): string => `| ${escapeUnsafe(text).replaceAll('\n', '\n| ')}`
