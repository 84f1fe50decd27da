/** The answers that a guard accepts: one of two words, the second followed by its output. */
export const pass = 'pass'
export const denied = (words: unknown): string => `deny\n${JSON.stringify(words)}`
