const telling = ['command', 'file_path', 'path', 'pattern', 'url', 'query', 'description', 'prompt']

/** The most telling value of a tool call's input, or all values. */
export const inputSummary = (input: Record<string, unknown>): string => {
  const name = telling.find((each) => typeof input[each] === 'string')
  return name === undefined ? JSON.stringify(input) : String(input[name])
}

export const longestSummary = 300

/** A tool call in short, as a decision on it is written down. */
export const callSummary = ({ name, input }: { name: string; input: Record<string, unknown> }): string =>
  `${name}: ${inputSummary(input)}`.slice(0, longestSummary)

/** By which names the tools of all CLIs are given the file that they write. */
const pathInputs = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path']
const writes = /write|edit|patch|create|replace/i
const patchFile = /^\*\*\* (?:Add|Update|Delete) File: (?<file>.+)$|^\*\*\* Move to: (?<target>.+)$/gm

/** The files that a tool call names for a change; those of shell commands are unknown. */
export const changedFiles = (tool: string, input: Record<string, unknown>): string[] => {
  if (!writes.test(tool)) return []
  const texts = Object.values(input).filter((value) => typeof value === 'string')
  const patched = texts.flatMap((text) =>
    Array.from(text.matchAll(patchFile), ({ groups }) => groups?.['file'] ?? groups?.['target'] ?? ''),
  )
  const named = pathInputs.map((name) => input[name]).filter((value) => typeof value === 'string')
  return [...named, ...patched]
}
