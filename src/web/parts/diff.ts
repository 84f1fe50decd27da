/** A part of a line; `isChanged`: this is what differs from its counterpart. */
interface DiffPart {
  text: string
  isChanged: boolean
}

export type DiffLine =
  | { kind: 'same' | 'add' | 'remove'; parts: DiffPart[] }
  /** A heading: a file, or where a hunk is. */
  | { kind: 'file' | 'hunk'; text: string }
  /** So many equal lines are left out. */
  | { kind: 'skip'; count: number }

/** Above this the work would be felt; the change is then shown as everything removed and everything added. */
const mostCells = 1_000_000
const contextLines = 3

const whole = (text: string): DiffPart[] => [{ text, isChanged: false }]

/** The steps from one list to another, by their longest common subsequence. */
const compare = <T>(before: readonly T[], after: readonly T[]): { kind: 'same' | 'add' | 'remove'; item: T }[] => {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1
  const same = (items: readonly T[]) => items.map((item) => ({ kind: 'same' as const, item }))
  return [
    ...same(before.slice(0, start)),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ]
}

const compareMiddle = <T>(
  before: readonly T[],
  after: readonly T[],
): { kind: 'same' | 'add' | 'remove'; item: T }[] => {
  const removed = before.map((item) => ({ kind: 'remove' as const, item }))
  const added = after.map((item) => ({ kind: 'add' as const, item }))
  if (before.length * after.length > mostCells) return [...removed, ...added]
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const steps: { kind: 'same' | 'add' | 'remove'; item: T }[] = []
  let row = 0
  let column = 0
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      steps.push({ kind: 'same', item: before[row] as T })
      row += 1
      column += 1
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      steps.push({ kind: 'remove', item: before[row] as T })
      row += 1
    } else {
      steps.push({ kind: 'add', item: after[column] as T })
      column += 1
    }
  }
  return [...steps, ...removed.slice(row), ...added.slice(column)]
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** Where only one of two texts ends with a line end, that is a difference: it counts as an empty line. */
const linesOfBoth = (before: string, after: string): [string[], string[]] =>
  before === '' || after === '' || before.endsWith('\n') === after.endsWith('\n')
    ? [linesOf(before), linesOf(after)]
    : [before.split('\n'), after.split('\n')]

/** Two texts, with so many lines around each change; lines that were changed have their words marked. */
export const diffTexts = (before: string, after: string, context = contextLines): DiffLine[] => {
  const lines = compare(...linesOfBoth(before, after)).map(({ kind, item }) => ({ kind, parts: whole(item) }))
  return skipEqual(markWords(lines), context)
}

type TextLine = Extract<DiffLine, { parts: DiffPart[] }>
const hasText = (line: DiffLine): line is TextLine => 'parts' in line

/** As many removed lines as added ones after them: each pair is one line that was changed. */
const markWords = (lines: readonly DiffLine[]): DiffLine[] => {
  const marked = [...lines]
  let at = 0
  while (at < marked.length) {
    const removed = countFrom(marked, at, 'remove')
    const added = countFrom(marked, at + removed, 'add')
    if (removed > 0 && removed === added)
      for (let pair = at; pair < at + removed; pair += 1) {
        const [before, after] = [marked[pair], marked[pair + removed]]
        if (before === undefined || after === undefined || !hasText(before) || !hasText(after)) continue
        const [partsBefore, partsAfter] = compareWords(textOf(before), textOf(after))
        marked[pair] = { ...before, parts: partsBefore }
        marked[pair + removed] = { ...after, parts: partsAfter }
      }
    at += Math.max(1, removed + added)
  }
  return marked
}

const countFrom = (lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number => {
  let count = 0
  while (lines[from + count]?.kind === kind) count += 1
  return count
}

const textOf = ({ parts }: TextLine): string => parts.map(({ text }) => text).join('')

/** Lines that have little in common are not one changed line. */
const leastAlike = 0.4

const wordsOf = (text: string): string[] => text.match(/\w+|\s+|[^\w\s]/gu) ?? []

const compareWords = (before: string, after: string): [DiffPart[], DiffPart[]] => {
  const steps = compare(wordsOf(before), wordsOf(after))
  const alike = steps.filter(({ kind, item }) => kind === 'same' && item.trim() !== '').map(({ item }) => item)
  if (alike.join('').length < leastAlike * Math.max(before.trim().length, after.trim().length))
    return [whole(before), whole(after)]
  const side = (kind: 'add' | 'remove'): DiffPart[] =>
    steps
      .filter((step) => step.kind === 'same' || step.kind === kind)
      .reduce<DiffPart[]>((parts, step) => {
        const isChanged = step.kind === kind
        const last = parts.at(-1)
        if (last?.isChanged !== isChanged) return [...parts, { text: step.item, isChanged }]
        return [...parts.slice(0, -1), { text: last.text + step.item, isChanged }]
      }, [])
  return [side('remove'), side('add')]
}

const skipEqual = (lines: readonly DiffLine[], context: number): DiffLine[] => {
  if (context >= lines.length) return [...lines]
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ kind }) => kind !== 'same')
  const shown: DiffLine[] = []
  for (const [index, line] of lines.entries()) {
    const last = shown.at(-1)
    if (line.kind !== 'same' || isNear(index)) shown.push(line)
    else if (last?.kind === 'skip') shown[shown.length - 1] = { kind: 'skip', count: last.count + 1 }
    else shown.push({ kind: 'skip', count: 1 })
  }
  return shown
}

/** A unified patch, or one in the form that models write (`*** Update File:`). */
export const parsePatch = (patch: string): DiffLine[] => {
  const lines = linesOf(patch)
  const fileLines = findFileLines(lines)
  return markWords(lines.map((line, at) => (fileLines.has(at) ? null : parsePatchLine(line))).filter(isDefined))
}

const isDefined = (line: DiffLine | null): line is DiffLine => line !== null

const hunkPattern = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/

/** Which lines of a patch are a pair that names its file. In a hunk they are changes: `--- x` removes `-- x`. */
export const findFileLines = (lines: readonly string[]): ReadonlySet<number> => {
  const found = new Set<number>()
  if (lines.some((line) => line.startsWith('*** Begin Patch'))) return found
  /** How many lines of each side the open hunk still has. */
  let left = { before: 0, after: 0 }
  for (const [at, line] of lines.entries()) {
    const hunk = hunkPattern.exec(line)
    if (hunk !== null) left = { before: Number(hunk[1] ?? 1), after: Number(hunk[2] ?? 1) }
    else if (!/^[-+ \\]|^$/.test(line)) left = { before: 0, after: 0 }
    else if (left.before > 0 || left.after > 0) {
      if (/^[- ]|^$/.test(line)) left.before -= 1
      if (/^[+ ]|^$/.test(line)) left.after -= 1
    } else if (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') && lines[at + 2]?.startsWith('@@'))
      found.add(at).add(at + 1)
  }
  return found
}

const filePattern = /^(?:diff --git (?:"?a\/.*?"? )"?b\/(.*?)"?|\*\*\* ((?:Add|Update|Delete) File: .*|Move to: .*))$/s

const parsePatchLine = (line: string): DiffLine | null => {
  const file = filePattern.exec(line)
  if (file !== null) return { kind: 'file', text: file[1] ?? file[2] ?? '' }
  if (/^index |^\*\*\* (Begin|End) Patch/.test(line)) return null
  if (line.startsWith('@@')) return { kind: 'hunk', text: line }
  if (line.startsWith('+')) return { kind: 'add', parts: whole(line.slice(1)) }
  if (line.startsWith('-')) return { kind: 'remove', parts: whole(line.slice(1)) }
  if (line.startsWith(' ') || line === '') return { kind: 'same', parts: whole(line.slice(1)) }
  return { kind: 'hunk', text: line }
}
