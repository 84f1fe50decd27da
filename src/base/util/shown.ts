/** A foreign value for a line of text: short, and without control characters. */
export const shown = (value: unknown): string => {
  const json = (JSON.stringify(value) ?? String(value)).replace(/\p{Cc}/gu, '?')
  return json.length > 60 ? `${json.slice(0, 60)}…` : json
}
