/** The one normaliser: two lines that differ only in blanks or broken lines are the same command. */
export const normalise = (text: string): string =>
  text
    .replace(/\\\n/g, ' ')
    .replace(/[ \t]+/g, ' ')
    .trim()
