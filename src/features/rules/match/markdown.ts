/** A fenced code block of a markdown text. */
interface CodeBlock {
  /** As long as it is in the whole text: places in it are places there. The marks of a quote are blanks. */
  text: string
  /** Where it begins in the whole text. */
  start: number
  /** The first word after the fence, in lower case; empty where there is none. */
  language: string
  /** The line of the whole text on which it begins, from 1. */
  line: number
  /** Which block it is, from 0, counted over all languages. */
  index: number
}

/** As CommonMark reads them: a fence of ``` or ~~~ that ends with one as long, with its list item or quote, or never. */
export const codeBlocks = (text: string, languages: string | readonly string[] | null = null): CodeBlock[] => {
  const wanted = languages === null ? null : [languages].flat().map((language) => language.toLowerCase())
  const fences: Fence[] = []
  let open: Fence | null = null
  let start = 0
  for (const [index, line] of text.split('\n').entries()) {
    const [plainLine, next] = [line.replace(/\r$/, ''), start + line.length + 1]
    if (open !== null && isClosing(open, plainLine)) open = null
    else if (open !== null && !hasLeft(open, plainLine)) open.block.text += inside(open, text.slice(start, next))
    else {
      const place = { text: '', start: Math.min(next, text.length), line: index + 2, index: fences.length }
      open = openFence(plainLine, place)
      if (open !== null) fences.push(open)
    }
    start = next
  }
  return fences.map(({ block }) => block).filter(({ language }) => wanted === null || wanted.includes(language))
}

interface Fence {
  mark: string
  /** Characters before it. */
  indent: number
  isQuoted: boolean
  /** It stands in an item of a list, which ends where lines stand further left. */
  isInItem: boolean
  block: CodeBlock
}

/** Before a fence there may be the marks of quotes and list items; after one of backticks there is none of them. */
const opening = /^((?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))*[ \t]*)(`{3,}(?=[^`]*$)|~{3,})[ \t]*([^\s`]*)/

const openFence = (line: string, place: Omit<CodeBlock, 'language'>): Fence | null => {
  const [, before, mark, word] = opening.exec(line) ?? []
  if (before === undefined || mark === undefined || word === undefined) return null
  return {
    mark,
    indent: before.length,
    isQuoted: before.includes('>'),
    isInItem: /[^\s>]/.test(before) || before.length > 3,
    block: { ...place, language: word.toLowerCase() },
  }
}

const quote = /^[ \t]*(?:>[ \t]?)+/

const inside = ({ isQuoted }: Fence, line: string): string =>
  isQuoted ? line.replace(quote, (marks) => ' '.repeat(marks.length)) : line

const isClosing = (fence: Fence, line: string): boolean => {
  const [, before = '', mark = ''] = /^([ \t]*)(`{3,}|~{3,})[ \t]*$/.exec(inside(fence, line)) ?? []
  return mark.startsWith(fence.mark) && before.length <= fence.indent + 3
}

const hasLeft = ({ isQuoted, isInItem, indent }: Fence, line: string): boolean => {
  if (isQuoted) return !quote.test(line)
  return isInItem && line.trim() !== '' && line.search(/\S/) < indent
}
