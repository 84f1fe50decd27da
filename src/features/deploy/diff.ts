interface Line {
  mark: ' ' | '-' | '+'
  text: string
}

const around = 3
/** Beyond this many lines, all of them count as changed. */
const maxCompared = 4_000

/** A unified diff for people to read; empty if nothing differs. */
export const unifiedDiff = (path: string, before: string | null, after: string | null): string => {
  if (before === after) return ''
  const lines = compareLines(splitLines(before), splitLines(after))
  // Changes with a few lines around them; those near each other form one hunk.
  const hunks: [number, number][] = []
  for (const [index, { mark }] of lines.entries()) {
    if (mark === ' ') continue
    const last = hunks.at(-1)
    if (last !== undefined && index - last[1] <= 2 * around) last[1] = index
    else hunks.push([index, index])
  }
  return [
    `--- ${before === null ? '/dev/null' : path}`,
    `+++ ${after === null ? '/dev/null' : path}`,
    ...hunks.flatMap(([first, last]) => renderHunk(lines, Math.max(0, first - around), last + around + 1)),
  ].join('\n')
}

/** Lines with their ends, so that a missing last line break is a difference. */
const splitLines = (text: string | null): string[] => text?.match(/[^\n]*\n|[^\n]+$/g) ?? []

const compareLines = (before: readonly string[], after: readonly string[]): Line[] => {
  let start = 0
  while (start < before.length && before[start] === after[start]) start += 1
  let same = 0
  while (same < Math.min(before.length, after.length) - start && before.at(-1 - same) === after.at(-1 - same)) same += 1
  const [old, now] = [before, after].map((lines) => lines.slice(start, lines.length - same)) as [string[], string[]]
  return [
    ...marked(' ', before.slice(0, start)),
    ...compareMiddle(old, now),
    ...marked(' ', before.slice(before.length - same)),
  ]
}

const marked = (mark: Line['mark'], texts: readonly string[]): Line[] => texts.map((text) => ({ mark, text }))

/** The longest common subsequence, from its table of lengths. */
const compareMiddle = (before: readonly string[], after: readonly string[]): Line[] => {
  if (before.length * after.length > maxCompared ** 2 / 4) return [...marked('-', before), ...marked('+', after)]
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const [row, below] = [lengths[i], lengths[i + 1]] as [Uint32Array, Uint32Array]
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  const lengthAt = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [old, now] = [before[i], after[j]]
    if (old !== undefined && old === now) {
      lines.push({ mark: ' ', text: old })
      i += 1
      j += 1
    } else if (old !== undefined && (now === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push({ mark: '-', text: old })
      i += 1
    } else {
      lines.push({ mark: '+', text: now ?? '' })
      j += 1
    }
  }
  return lines
}

const renderHunk = (lines: readonly Line[], from: number, to: number): string[] => {
  const count = (some: readonly Line[], mark: Line['mark']): number => some.filter((line) => line.mark !== mark).length
  const [before, shown] = [lines.slice(0, from), lines.slice(from, to)]
  const range = (mark: '-' | '+'): string => {
    const size = count(shown, mark === '-' ? '+' : '-')
    return `${mark}${count(before, mark === '-' ? '+' : '-') + (size === 0 ? 0 : 1)},${size}`
  }
  const texts = shown.flatMap(({ mark, text }) =>
    text.endsWith('\n') ? [mark + text.slice(0, -1)] : [mark + text, '\\ No newline at end of file'],
  )
  return [`@@ ${range('-')} ${range('+')} @@`, ...texts]
}
