import type { ScreenOption } from './contract.ts'

/** A line of a list in which one line is marked, without numbers. */
interface Listed {
  label: string
  isMarked: boolean
  line: number
}

const marked = /^(?<before>[\s│┃]*)[❯›▶→➤●◉>](?<gap> +)(?<label>\S.*)$/
const framed = /[\s│┃]+$/
const box = /^\[.\] /

/** The lines beside the lowest marked one that begin in its column; deeper ones only describe the one above them. */
export const listedIn = (lines: readonly string[]): Listed[] => {
  const at = lines.findLastIndex((line) => marked.test(line))
  const { before = '', gap = '', label = '' } = marked.exec(lines[at] ?? '')?.groups ?? {}
  if (at < 0) return []
  const column = before.length + 1 + gap.length
  const isChoosing = box.test(label)
  const isIn = (index: number): boolean => startOf(lines[index] ?? '') >= column
  const isOption = (line: string): boolean => startOf(line) === column || (isChoosing && startOf(line) > column)
  // In some, an empty line stands between numbers.
  const isGap = (index: number, next: number): boolean =>
    startOf(lines[index] ?? '') < 0 && /^\d[.)] /.test((lines[next] ?? '').slice(column))
  const top = lines.findLastIndex((_, index) => index < at && !isIn(index) && !isGap(index, index - 1)) + 1
  const below = lines.findIndex((_, index) => index > at && !isIn(index) && !isGap(index, index + 1))
  const indexes = lines.map((_, index) => index).slice(top, below < 0 ? undefined : below)
  const own = indexes.filter((index) => index === at || isOption(lines[index] ?? ''))
  return own.map((line) => ({
    label: (lines[line] ?? '').slice(column).replace(framed, '').trim(),
    isMarked: line === at,
    line,
  }))
}

const startOf = (line: string): number => line.search(/[^\s│┃]/)

/** The keys go from the line that is marked to the one that is wanted; a box is ticked by a space. */
export const keysTo = (listed: readonly Listed[], index: number): string[] => {
  const from = listed.findIndex(({ isMarked }) => isMarked)
  const steps = Array<string>(Math.abs(index - from)).fill(index < from ? 'Up' : 'Down')
  return [...steps, box.test(listed[index]?.label ?? '') ? 'Space' : 'Enter']
}

/** What the last lines of a dialog say that a key does: `Enter to stay · Esc to cancel`. */
export const hintsIn = (lines: readonly string[]): Pick<ScreenOption, 'label' | 'keys'>[] =>
  hintText(lines)
    .split(/ [·•|] |, (?=\S+ to )/)
    .flatMap((part) => {
      const { key, label } = hint.exec(part.trim())?.groups ?? {}
      if (key === undefined || label === undefined) return []
      const name = key.toLowerCase()
      return [{ label, keys: [keyNames[name] ?? name.replace('ctrl+', 'C-')] }]
    })

/** A long line of hints is broken where the terminal ends; what stands above the empty line is no hint. */
const hintText = (lines: readonly string[]): string => {
  const words = lines.map((line) => line.replaceAll(/[│┃╭╮╰╯─━]/g, ' ').trim())
  const last = words.findLastIndex((line) => line !== '')
  const block = words.slice(words.findLastIndex((line, index) => index < last && line === '') + 1, last + 1)
  const first = block.findIndex((line) => hint.test(line))
  return first < 0 ? '' : block.slice(first).join(' ').replaceAll(/\s+/g, ' ')
}

const hint =
  /^(?:press )?(?<key>enter|return|esc|escape|tab|shift\+tab|space|[a-z]|ctrl\+[a-z])(?: to | ?: )(?<label>\S.*)$/i

const keyNames: Record<string, string> = {
  enter: 'Enter',
  return: 'Enter',
  esc: 'Escape',
  escape: 'Escape',
  tab: 'Tab',
  'shift+tab': 'BTab',
  space: 'Space',
}
