import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from 'yaml'
import { mayHoldGuard } from './guard/broken.ts'
import type { RuleProblem } from './types.ts'

export const fileMax = 1024 * 1024
const aliasesMax = 100
/** The work of a parser may grow much faster than the file: nested brackets, or nothing but errors. */
const tokensMax = 100_000
const bracketsMax = 100

export type FieldPath = readonly (string | number)[]

/** Something wrong in a file, at the value or at the name of a field. */
export interface Issue {
  path: FieldPath
  isName?: boolean
  message: string
  hint: string
}

export interface ParsedFile {
  value: unknown
  placeOf(path: FieldPath, isName?: boolean): { line: number; column: number }
}

type Reading = { parsed: ParsedFile } | { problems: RuleProblem[] }

/** The values of a rule file, and where in it they stand. */
export const readRuleFile = (file: string, text: string): Reading => {
  const isGuard = mayHoldGuard(text)
  const at = (line: number, column: number, message: string, hint: string): Reading => ({
    problems: [{ file, line, column, message, hint, isGuard }],
  })
  const large = tooLarge(text)
  if (large !== null) return at(1, 1, large, 'Split it: all .yaml files of the directory are read.')
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      stringKeys: true,
      // Its own search for these takes the square of their number.
      uniqueKeys: false,
    })
    const [wrong] = [...document.errors, ...document.warnings, ...repeatedKeys(document)]
    if (wrong !== undefined) {
      const { line, col } = lines.linePos(wrong.pos[0])
      return at(Math.max(line, 1), Math.max(col, 1), `not YAML: ${wrong.message}`, yamlHints[wrong.code] ?? usualHint)
    }
    const placeOf: ParsedFile['placeOf'] = (path, isName = false) => {
      const { line, col } = lines.linePos(offsetOf(document, path, isName))
      return { line: Math.max(line, 1), column: Math.max(col, 1) }
    }
    return { parsed: { value: document.toJS({ maxAliasCount: aliasesMax }), placeOf } }
  } catch (error) {
    return at(
      1,
      1,
      `the file cannot be read as YAML: ${error instanceof Error ? error.message : String(error)}`,
      'Write it out without so many aliases or levels.',
    )
  }
}

const tooLarge = (text: string): string | null => {
  if (Buffer.byteLength(text) > fileMax) return 'the file is larger than 1 MiB'
  let [tokens, brackets] = [0, 0]
  for (const token of new Lexer().lex(text)) {
    tokens += 1
    if (token === '[' || token === '{') brackets += 1
    if (token === ']' || token === '}') brackets -= 1
    if (brackets > bracketsMax) return `the file has more than ${bracketsMax} brackets within each other`
    if (tokens > tokensMax) return `the file has more than ${tokensMax} words and signs`
  }
  return null
}

const repeatedKeys = (document: Document.Parsed) => {
  const repeated: Pair[] = []
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<string>()
      for (const pair of items) {
        const name = isScalar(pair.key) ? String(pair.key.value) : ''
        if (seen.has(name)) repeated.push(pair)
        seen.add(name)
      }
    },
  })
  return repeated.map(({ key }) => {
    const at = isScalar(key) ? (key.range?.[0] ?? 0) : 0
    return { pos: [at, at] as const, message: 'a field is there twice', code: 'DUPLICATE_KEY' }
  })
}

const yamlHints: Partial<Record<string, string>> = {
  TAG_RESOLVE_FAILED: 'Put a text that begins with `!` into quotes.',
  DUPLICATE_KEY: 'Take one of the two out.',
}
const usualHint = 'Look at the indentation, and put texts with : # { [ * & ! % @ ` or quotes into single quotes.'

/** The nearest that there is: a field that is missing is told at what it is missing in. */
const offsetOf = (document: Document.Parsed, path: FieldPath, isName: boolean): number => {
  let node: Node | null = document.contents
  let offset = node?.range?.[0] ?? 0
  for (const [depth, step] of path.entries()) {
    if (isAlias(node)) node = (node.resolve(document) as Node | undefined) ?? null
    let [name, value]: [Node | null, Node | null] = [null, null]
    if (isMap<Node, Node | null>(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      ;[name, value] = [pair?.key ?? null, pair?.value ?? null]
    } else if (isSeq<Node>(node)) value = node.items[Number(step)] ?? null
    if (value === null && name === null) return offset
    const isLast = depth === path.length - 1
    const target = isLast && isName ? name : (value ?? name)
    offset = target?.range?.[0] ?? offset
    node = value
  }
  return offset
}
