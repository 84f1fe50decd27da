const telling = ['command', 'file_path', 'path', 'pattern', 'url', 'query', 'description', 'prompt']

/** Of a tool call's input the one value that says most, or all of them. */
export const inputSummary = (input: Record<string, unknown>): string => {
  const name = telling.find((each) => typeof input[each] === 'string')
  return name === undefined ? JSON.stringify(input) : String(input[name])
}
