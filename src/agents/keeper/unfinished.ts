/** No useful sequence is longer; a longer one would be kept again and again. */
const longest = 64 * 1024

/** The beginning of an escape sequence or of a character, at the very end. */
const atEnd = new RegExp(
  '\u001b(?:\\[[0-?]*)?[ -/]*$' +
    '|\u001b\\][^\u0007\u0018\u001a\u001b]*\u001b?$' +
    '|\u001b[PX^_][^\u0018\u001a\u001b]*\u001b?$' +
    '|[\u00c0-\u00df]$|[\u00e0-\u00ef][\u0080-\u00bf]?$|[\u00f0-\u00f7][\u0080-\u00bf]{0,2}$',
)

/** The sequence that a program has begun to write: a view that joins now needs it to understand the rest. */
export const unfinished = (written: Buffer): Buffer => {
  const begun = atEnd.exec(written.toString('latin1'))?.[0] ?? ''
  return Buffer.from(begun.length > longest ? '' : begun, 'latin1')
}
