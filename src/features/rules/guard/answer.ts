/** What a guard believes: one of two words, and with the second what it prints. */
export const pass = 'pass'
export const denied = (words: unknown): string => `deny\n${JSON.stringify(words)}`
