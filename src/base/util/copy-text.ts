/**
 * V8 cuts a text out of a longer one without copying it, so a few characters keep all of the longer one in memory. Text that is
 * kept for longer than the original is copied.
 */
export const copyText = (text: string): string => JSON.parse(JSON.stringify(text)) as string
