/** A value from somewhere else as it can be put into a line of text for a person: short, and nothing that a terminal obeys. */
export const shown = (value: unknown): string => {
  const json = (JSON.stringify(value) ?? String(value)).replace(/\p{Cc}/gu, '?')
  return json.length > 60 ? `${json.slice(0, 60)}…` : json
}
