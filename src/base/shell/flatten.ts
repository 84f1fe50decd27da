import { forEachChild, type Command, type SyntaxNode, type Word } from 'unbash'
import { WorkBudget } from '../util/work-budget.ts'
import { isTooDeep, parseWithin } from './parsing.ts'

export interface ShellWord {
  /** As written, quotes and all. */
  readonly text: string
  /** What the program gets, as far as that can be told. */
  readonly value: string
  readonly pos: number
}

export interface ShellRedirect {
  readonly operator: string
  readonly target: ShellWord | undefined
}

/** One program with its words. */
export interface SimpleCommand {
  readonly assignments: readonly ShellWord[]
  readonly words: readonly ShellWord[]
  readonly redirects: readonly ShellRedirect[]
}

/** A line is read from left to right: what joins two commands, and the commands. */
export type Piece = { readonly joint: string } | { readonly command: SimpleCommand }

/** Nobody types more, and what a generated script does is told by how it begins. */
export const LONGEST_READ = 4_096
/** Far more than so short a line costs to parse, unless it is made to. */
const PARSE_UNITS = 200_000
const OPENING: Readonly<Record<string, string>> = {
  If: 'if',
  For: 'for',
  ArithmeticFor: 'for',
  Select: 'select',
  While: 'while',
  Case: 'case',
  Function: 'function',
  Coproc: 'coproc',
  Subshell: '(',
  BraceGroup: '{',
  TestCommand: '[[',
  ArithmeticCommand: '((',
}

const THROUGH: ReadonlySet<string> = new Set(['Statement', 'Redirected', 'Elif', 'CaseItem'])

/** Never throws: what cannot be parsed is one command of words between blanks. */
export function flatten(text: string): readonly Piece[] {
  const source = text.slice(0, LONGEST_READ)
  if (isTooDeep(source)) return [{ command: wordsBetweenBlanks(source) }]
  try {
    const pieces: Piece[] = []
    for (const statement of parseWithin(new WorkBudget(PARSE_UNITS), source).commands) addStatement(statement, pieces)
    return pieces
  } catch {
    return [{ command: wordsBetweenBlanks(source) }]
  }
}

function addStatement(node: SyntaxNode, pieces: Piece[]): void {
  if (pieces.length > 0) pieces.push({ joint: ';' })
  addNode(node, pieces)
  if (node.type === 'Statement' && node.background === true) pieces.push({ joint: '&' })
}

function addNode(node: SyntaxNode, pieces: Piece[]): void {
  if (node.type === 'Command') pieces.push({ command: simple(node) })
  else if (node.type === 'AndOr' || node.type === 'Pipeline') {
    for (const [index, command] of node.commands.entries()) {
      if (index > 0) pieces.push({ joint: node.operators[index - 1] ?? '&&' })
      addNode(command, pieces)
    }
  } else if (node.type === 'CompoundList') for (const statement of node.commands) addStatement(statement, pieces)
  else if (node.type in OPENING || THROUGH.has(node.type)) {
    // Loops and conditions are told apart by their keyword and by the commands in them.
    const opening = OPENING[node.type]
    if (opening !== undefined) pieces.push({ joint: opening })
    forEachChild(node, (child) => addNode(child, pieces))
    if (opening !== undefined) pieces.push({ joint: 'end' })
  }
}

const simple = (node: Command): SimpleCommand => {
  const assignments: ShellWord[] = []
  const redirects: ShellRedirect[] = []
  for (const part of node.prefix) if (part.type === 'Assignment') assignments.push(assignedWord(part))
  for (const part of node.redirects)
    redirects.push({
      operator: part.operator,
      target: part.type === 'HereDoc' || part.target === undefined ? undefined : shellWord(part.target),
    })
  const words = node.args.map((arg) => (arg.type === 'Word' ? shellWord(arg) : assignedWord(arg)))
  return { assignments, words: node.name === undefined ? words : [shellWord(node.name), ...words], redirects }
}

const shellWord = ({ text, value, pos }: Word): ShellWord => ({ text, value, pos })
const assignedWord = ({ text, pos }: { text: string; pos: number }): ShellWord => ({ text, value: text, pos })

function wordsBetweenBlanks(source: string): SimpleCommand {
  const words = [...source.matchAll(/\S+/g)].map((match) => ({ text: match[0], value: match[0], pos: match.index }))
  return { assignments: [], words, redirects: [] }
}
