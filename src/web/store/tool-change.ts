import { type DiffLine, diffTexts, parsePatch } from '../parts/diff.ts'

export interface ToolChange {
  path: string
  lines: DiffLine[]
}

type Input = Readonly<Record<string, unknown>>

const textIn = (input: Input, names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = input[name]
    if (typeof value === 'string') return value
  }
  return undefined
}

const pathNames = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path', 'fileName']
const oldNames = ['old_string', 'oldString', 'old_str', 'oldText', 'old']
const newNames = ['new_string', 'newString', 'new_str', 'newText', 'new', 'new_source']
const contentNames = ['content', 'file_text', 'contents']
const patchNames = ['patch', 'input', 'diff', 'patchText']

/** What a tool call would change, by the form of its input alone: CLIs name their tools as they like. Null: it changes no file, or not as a text. */
export const changeOf = (input: Input): ToolChange | null => {
  const patch = textIn(input, patchNames)
  if (patch !== undefined && /^(\*\*\* Begin Patch|diff --git |--- |@@ )/m.test(patch))
    return { path: textIn(input, pathNames) ?? '', lines: parsePatch(patch) }
  const path = textIn(input, pathNames)
  if (path === undefined) return null
  const edits = Array.isArray(input['edits']) ? (input['edits'] as unknown[]).filter(isInput) : [input]
  const lines = edits.flatMap((edit) => {
    const after = textIn(edit, newNames)
    return after === undefined ? [] : diffTexts(textIn(edit, oldNames) ?? '', after)
  })
  const content = textIn(input, contentNames)
  if (lines.length > 0) return { path, lines }
  return content === undefined ? null : { path, lines: diffTexts('', content) }
}

const isInput = (value: unknown): value is Input => typeof value === 'object' && value !== null
