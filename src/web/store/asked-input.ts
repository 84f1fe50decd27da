import type { Question } from '../../contract/agent.ts'
import { besidesEdits, editsOf, patchOf } from '../../contract/tool-edits.ts'
import { type DiffLine, diffTexts, findFileLines } from '../parts/diff.ts'

/** One part of what is asked. All parts together are the whole input: a person must not approve what was not shown. */
type AskedPart =
  | { kind: 'text'; name: string; text: string }
  | { kind: 'diff'; name: string; lines: readonly DiffLine[] }

export const askedParts = ({ kind, input, summary }: Question, isStructured = false): AskedPart[] => {
  const edits = editsOf(input).map(
    ({ file, before, after }): AskedPart => ({
      kind: 'diff',
      name: file,
      lines: diffTexts(before, after, Number.POSITIVE_INFINITY),
    }),
  )
  const patched = patchOf(input)
  const fileLines = findFileLines(patched)
  const patch = patched.map(
    (line, at): DiffLine => (fileLines.has(at) ? { kind: 'hunk', text: line } : patchLine(line)),
  )
  const fields = Object.entries(besidesEdits(input))
    .filter(([name]) => !(isStructured && name === 'questions'))
    .map(([name, value]): AskedPart => ({ kind: 'text', name, text: fieldText(value) }))
  const parts = [
    ...fields,
    ...edits,
    ...(patch.length === 0 ? [] : [{ kind: 'diff' as const, name: 'patch', lines: patch }]),
  ]
  // What a dialog asks stands nowhere else.
  return isStructured || (parts.length > 0 && kind !== 'question')
    ? parts
    : [{ kind: 'text', name: '', text: summary }, ...parts]
}

const fieldText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** Each line as it stands there: nothing of a patch is left out. */
const patchLine = (line: string): DiffLine => {
  if (/^(\*\*\* |@@|diff |index )/.test(line)) return { kind: 'hunk', text: line }
  const kind = line.startsWith('+') ? 'add' : line.startsWith('-') ? 'remove' : 'same'
  return { kind, parts: [{ text: kind === 'same' ? line.replace(/^ /, '') : line.slice(1), isChanged: false }] }
}
