import { editsOf, patchOf } from '../../contract/tool-edits.ts'
import { type DiffLine, diffTexts, parsePatch } from '../parts/diff.ts'

interface ToolChange {
  path: string
  lines: readonly DiffLine[]
}

/** What a tool call would change, as lines. Null: it changes no file, or not as a text. */
export const changeOf = (input: Record<string, unknown>): ToolChange | null => {
  const edits = editsOf(input)
  const patch = patchOf(input)
  if (edits.length === 0 && patch.length === 0) return null
  const files = [...new Set(edits.map(({ file }) => file))]
  const lines = edits.flatMap(({ file, before, after }): DiffLine[] => [
    ...(files.length > 1 ? [{ kind: 'file' as const, text: file }] : []),
    ...diffTexts(before, after),
  ])
  return { path: files.join(', '), lines: [...lines, ...parsePatch(patch.join('\n'))] }
}
