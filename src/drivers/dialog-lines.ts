/** A numbered line of a dialog. */
interface Numbered {
  key: string
  label: string
  isMarked: boolean
  line: number
  column: number
}

/**
 * The last lines that count up from 1 in one column: a list above them is the agent's own text, shown in the dialog.
 * In a narrow terminal one of them may stand a little askew. A pattern names what it finds: `mark`, `key`, `label`.
 */
export const countedIn = (lines: readonly string[], pattern: RegExp): Numbered[] => {
  const numbered = lines.flatMap((line, index) => {
    const { mark, key, label } = pattern.exec(line)?.groups ?? {}
    if (key === undefined || label === undefined) return []
    return [{ key, label: label.trim(), isMarked: mark !== undefined, line: index, column: line.indexOf(key) }]
  })
  const edge = numbered.at(-1)?.column ?? 0
  const aligned = numbered.filter(({ column }) => Math.abs(column - edge) <= 1)
  const run = aligned.slice(aligned.findLastIndex(({ key }) => key === '1'))
  return run.every(({ key }, index) => key === String(index + 1)) ? run : []
}

/** A dialog that has the keyboard marks one of its options. */
export const optionsIn = (lines: readonly string[], pattern: RegExp): Numbered[] => {
  const run = countedIn(lines, pattern)
  return run.some(({ isMarked }) => isMarked) ? run : []
}

/** The dialog that the lowest of the lines tells: above it may stand what the agent wrote. */
export const lowestOf = <T extends { pattern: RegExp }>(dialogs: readonly T[], lines: readonly string[]): T | null =>
  lines.map((line) => dialogs.find(({ pattern }) => pattern.test(line))).findLast((dialog) => dialog !== undefined) ??
  null
