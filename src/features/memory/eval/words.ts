/** A word or an operator of a line, as the measure reads it. */
interface Token {
  readonly text: string
  readonly isOperator: boolean
  /** Whether any of it is quoted or the output of another command. */
  readonly isQuoted: boolean
}

const OPERATORS = '|&;<>()'
const BLANKS = ' \t'
const ENDS = `${BLANKS}\n${OPERATORS}`

/** Takes a line apart, simply and for ever in the same way. */
export function tokensOf(line: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < line.length) {
    const sign = line.charAt(at)
    if (BLANKS.includes(sign)) at++
    else if (sign === '\n') at = push(tokens, ';', at + 1, true)
    else if (OPERATORS.includes(sign)) at = pushOperator(tokens, line, at)
    else at = pushWord(tokens, line, at)
  }
  return tokens
}

function push(tokens: Token[], text: string, end: number, isOperator: boolean, isQuoted = false): number {
  tokens.push({ text, isOperator, isQuoted })
  return end
}

function pushOperator(tokens: Token[], line: string, start: number): number {
  let end = start
  while (end < line.length && OPERATORS.includes(line.charAt(end)) && end - start < 3) end++
  if ('()'.includes(line.charAt(start))) end = start + 1
  return push(tokens, line.slice(start, end), end, true)
}

function pushWord(tokens: Token[], line: string, start: number): number {
  let end = start
  let isQuoted = false
  while (end < line.length && !ENDS.includes(line.charAt(end))) {
    const next = endOfQuoted(line, end)
    isQuoted ||= next !== undefined
    end = next ?? end + (line.charAt(end) === '\\' ? 2 : 1)
  }
  return push(tokens, line.slice(start, end), end, false, isQuoted)
}

/** Where the quotation or substitution that begins here ends, if one does. */
function endOfQuoted(line: string, at: number): number | undefined {
  const sign = line.charAt(at)
  if (sign === "'" || sign === '`') {
    const end = line.indexOf(sign, at + 1)
    return end < 0 ? line.length : end + 1
  }
  if (sign === '"') {
    let end = at + 1
    while (end < line.length && line.charAt(end) !== '"') end += line.charAt(end) === '\\' ? 2 : 1
    return Math.min(line.length, end + 1)
  }
  if (sign !== '$' || line.charAt(at + 1) !== '(') return undefined
  let end = at + 2
  for (let depth = 1; end < line.length && depth > 0; end++) {
    if (line.charAt(end) === '(') depth++
    else if (line.charAt(end) === ')') depth--
  }
  return end
}
