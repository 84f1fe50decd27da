import type { Question } from '../../contract/agent.ts'
import { besidesEdits, editsOf, patchOf } from '../../contract/tool-edits.ts'
import { type DiffLine, diffTexts } from '../parts/diff.ts'

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
  const patch = patchLines(patchOf(input))
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

const fileHeading = /^(\*\*\* |diff |index )/
const hunkHeading = /^@@(?: -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@)?/

/** How many lines follow, before and after; some CLIs do not say it. */
const countsOf = ([heading, before = '1', after = '1']: RegExpExecArray): { before: number; after: number } =>
  heading === '@@' ? { before: 0, after: 0 } : { before: Number(before), after: Number(after) }

/** Each line as it stands there: nothing of a patch is left out. A hunk says how many lines it has: `--- x` among them removes `-- x`. */
const patchLines = (lines: readonly string[]): DiffLine[] => {
  const hasDashes = !lines.some((line) => line.startsWith('*** Begin Patch'))
  const left = { before: 0, after: 0 }
  return lines.map((line, at): DiffLine => {
    const isInHunk = left.before > 0 || left.after > 0
    const isNamed =
      hasDashes &&
      ((line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ')) ||
        (line.startsWith('+++ ') && lines[at - 1]?.startsWith('--- ')))
    const hunk = isInHunk ? null : hunkHeading.exec(line)
    if (hunk !== null) Object.assign(left, countsOf(hunk))
    if (hunk !== null || (!isInHunk && (isNamed || fileHeading.test(line)))) return { kind: 'hunk', text: line }
    const kind = line.startsWith('+') ? 'add' : line.startsWith('-') ? 'remove' : 'same'
    if (kind !== 'add') left.before -= 1
    if (kind !== 'remove') left.after -= 1
    return { kind, parts: [{ text: kind === 'same' ? line.replace(/^ /, '') : line.slice(1), isChanged: false }] }
  })
}
