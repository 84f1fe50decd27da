/**
 * V8 cuts a text out of a longer one without copying it, so a few characters keep all of the longer one in memory. What is
 * kept after the longer one is done with is copied.
 */
export const copyText = (text: string): string => JSON.parse(JSON.stringify(text)) as string
