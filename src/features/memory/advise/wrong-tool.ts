import type { FileTools } from '../../../drivers/contract.ts'
import { flatten, LONGEST_READ, type Piece, type ShellWord, type SimpleCommand } from '../../../base/shell/flatten.ts'
import { baseName, programIndex } from '../../../base/shell/programs.ts'

/** A tool of the agent that does what its shell was used for. */
export interface WrongTool {
  readonly kind: keyof FileTools
  /** The name of the tool. */
  readonly instead: string
  readonly why: string
}

const WHY: Readonly<Record<keyof FileTools, string>> = {
  read: 'it shows a file, or a part of it',
  edit: 'it changes a part of a file',
  write: 'it writes a file',
  search: 'it searches in files',
  find: 'it finds files by name',
}

/** Nothing if the shell is right, or the agent has no such tool. */
export function wrongTool(command: string, tools: FileTools): WrongTool | null {
  if (!isReadWhole(command) || hasOpenDocument(command)) return null
  const kinds = new Set<keyof FileTools | null>()
  for (const pipeline of pipelinesOf(flatten(command)) ?? []) if (!isAside(pipeline)) kinds.add(kindOf(pipeline))
  const [kind] = kinds
  if (kinds.size !== 1 || kind === undefined || kind === null) return null
  const instead = tools[kind] ?? (kind === 'write' ? tools.edit : null)
  return instead === null ? null : { kind, instead, why: WHY[kind] }
}

/** Of what is too long to be read, only a document that goes on to the end. */
function isReadWhole(command: string): boolean {
  if (command.length <= LONGEST_READ) return true
  const lines = command.trimEnd().split('\n')
  const mark = /<<-? ?['"]?(\w+)/.exec(lines[0] ?? '')?.[1]
  return mark !== undefined && lines.indexOf(mark) === lines.length - 1
}

/** A document in which the shell may put something: its mark is not quoted. */
function hasOpenDocument(command: string): boolean {
  const [mark] = /<<-?\s*\w/.exec(command) ?? []
  return mark !== undefined && /[$`]/.test(command.slice(command.indexOf('\n')))
}

type Pipeline = readonly SimpleCommand[]

const BETWEEN = new Set(['&&', '||', ';'])

/** Null for loops, conditions and what goes on in the background: that is a program, not a look. */
function pipelinesOf(pieces: readonly Piece[]): readonly Pipeline[] | null {
  const pipelines: SimpleCommand[][] = [[]]
  for (const piece of pieces) {
    if ('command' in piece) pipelines.at(-1)?.push(piece.command)
    else if (BETWEEN.has(piece.joint)) pipelines.push([])
    else if (piece.joint !== '|') return null
  }
  return pipelines
}

interface Call {
  readonly program: string
  readonly args: readonly string[]
  readonly command: SimpleCommand
}

function callOf(command: SimpleCommand | undefined): Call | null {
  const words = command?.words.map(({ value }) => value) ?? []
  const at = programIndex(words)
  if (command === undefined || words.slice(0, at).some((word) => word === 'sudo' || word === 'doas')) return null
  return { program: baseName(words[at] ?? ''), args: words.slice(at + 1), command }
}

/** Only moves about or prints a line between two outputs. */
const isAside = (pipeline: Pipeline): boolean => {
  const [only, more] = pipeline
  if (only === undefined) return true
  const program = only.words[0]?.value ?? ''
  return more === undefined && /^(?:cd|echo|printf|true|:|pwd)$/.test(program) && targetOf(only) === null
}

function kindOf(pipeline: Pipeline): keyof FileTools | null {
  const call = callOf(pipeline[0])
  if (call === null) return null
  const written = writes(call)
  if (written !== null) return pipeline.length === 1 ? written : null
  if (targetOf(call.command) !== null || isFed(call.command)) return null
  const isLook = pipeline.slice(1).every(isTrimmer)
  return isLook ? (reads(call) ?? searches(call) ?? finds(call)) : null
}

const isFed = ({ redirects }: SimpleCommand): boolean => redirects.some(({ operator }) => operator.startsWith('<'))
const isHeredoc = ({ redirects }: SimpleCommand): boolean =>
  redirects.some(({ operator }) => operator === '<<' || operator === '<<-')

/** The file that the output goes into. */
function targetOf({ redirects }: SimpleCommand): { file: ShellWord; isAdded: boolean } | null {
  for (const { operator, target } of redirects) {
    if (!/^(?:>|>>|>\||&>|&>>)$/.test(operator) || target === undefined) continue
    if (target.value !== '/dev/null') return { file: target, isAdded: operator.endsWith('>>') }
  }
  return null
}

/** A name that only the shell can read. */
const isOpen = (word: string): boolean => /[$`*?{[]|^\/(?:dev|proc|sys)\//.test(word)
const isFlag = (word: string): boolean => word.startsWith('-') && word !== '-'

function writes({ program, args, command }: Call): 'edit' | 'write' | null {
  if (program === 'sed' || program === 'perl') return changesInPlace(program, args) ? 'edit' : null
  const target = targetOf(command)
  if (program === 'tee') return isHeredoc(command) && writesOne(args) ? (args.includes('-a') ? 'edit' : 'write') : null
  if (target === null || isOpen(target.file.text)) return null
  const isText = program === 'cat' ? isHeredoc(command) && args.length === 0 : isFixedText(program, command)
  if (!isText) return null
  return target.isAdded ? 'edit' : 'write'
}

const writesOne = (args: readonly string[]): boolean => {
  const files = args.filter((arg) => !isFlag(arg))
  return files.length === 1 && !files.some(isOpen)
}

/** Text in which the shell replaces nothing. */
const isFixedText = (program: string, { words }: SimpleCommand): boolean =>
  (program === 'echo' || program === 'printf') &&
  words.slice(1).every(({ text }) => /^'[^']*'$/.test(text) || !/[$`]/.test(text))

/** In one or two named files; what goes over many at once is work for the shell. */
function changesInPlace(program: string, args: readonly string[]): boolean {
  const isInPlace = program === 'sed' ? /^(?:-[nErs]*i.*|--in-place.*)$/ : /^-[a-z0]*i/
  if (!args.some((arg) => isInPlace.test(arg))) return false
  const hasScriptFlag = args.some((arg) => /^-[a-zE0]*e$|^--expression/.test(arg))
  const plain = args.filter((arg, index) => arg !== '' && !isFlag(arg) && !/^-[a-zE0]*e$/.test(args[index - 1] ?? ''))
  const files = plain.slice(hasScriptFlag ? 0 : 1)
  return files.length > 0 && files.length <= 2 && !files.some(isOpen)
}

/** Shows what no tool does: `cat -A`. */
const SHOWS_SIGNS = /^(?:-[a-zA-Z]*[AETetv]|--show-)/
const READERS = new Set(['cat', 'less', 'more', 'bat', 'nl'])

function reads({ program, args }: Call): 'read' | null {
  if (program === 'sed')
    return isPrintedRange(args) && areFiles(args.filter((arg) => !isFlag(arg)).slice(1)) ? 'read' : null
  if (program === 'head' || program === 'tail') return readsEnd(args) ? 'read' : null
  if (program === 'cat' && args.some((arg) => SHOWS_SIGNS.test(arg))) return null
  return READERS.has(program) && areFiles(args.filter((arg) => !isFlag(arg))) ? 'read' : null
}

const areFiles = (words: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => word !== '-' && !isOpen(word))

const RANGE = /^(?:\d+(?:,(?:\d+|\$))?[pq];? ?)+$/
const isPrintedRange = (args: readonly string[]): boolean =>
  args.includes('-n') &&
  args.every((arg) => !isFlag(arg) || arg === '-n') &&
  RANGE.test(args.find((arg) => !isFlag(arg)) ?? '')

function readsEnd(args: readonly string[]): boolean {
  if (args.some((arg) => /^(?:-[a-zA-Z]*[fFc]|--(?:follow|bytes|retry|pid))/.test(arg))) return false
  const files = args.filter((arg, index) => !isFlag(arg) && !/^[-+]/.test(arg) && args[index - 1] !== '-n')
  return areFiles(files)
}

const GREPS = new Set(['grep', 'egrep', 'fgrep'])
const SEARCHES = new Set(['rg', 'ag', 'ack'])

function searches({ program, args }: Call): 'search' | null {
  if (args.some((arg) => /^(?:-[a-zA-Z]*q|--(?:quiet|silent|version|help|files|type-list|replace))/.test(arg)))
    return null
  const plain = args.filter((arg) => !isFlag(arg))
  if (SEARCHES.has(program)) return plain.length > 0 || args.includes('-e') ? 'search' : null
  if (!GREPS.has(program)) return null
  const isRecursive = args.some((arg) => /^-[a-zA-Z]*[rR]|^--recursive/.test(arg))
  const hasFile = plain.length > (args.some((arg) => /^-[a-zA-Z]*e$|^--regexp/.test(arg)) ? 2 : 1)
  return isRecursive || (hasFile && !plain.slice(1).some((arg) => /^\/(?:dev|proc|sys)\//.test(arg))) ? 'search' : null
}

const BY_NAME = new Set(['-name', '-iname', '-path', '-ipath', '-wholename', '-regex', '-iregex'])
/** What a search by name cannot do. */
const MORE_THAN_NAME =
  /^-(?:exec|execdir|ok|okdir|delete|print0|printf|newer|mtime|mmin|ctime|size|perm|user|empty|ls|fprint)/

function finds({ program, args }: Call): 'find' | null {
  if (program === 'find')
    return args.some((arg) => BY_NAME.has(arg)) && !args.some((arg) => MORE_THAN_NAME.test(arg)) ? 'find' : null
  if (program === 'fd' || program === 'fdfind')
    return args.some((arg) => !isFlag(arg)) && !args.some((arg) => /^(?:-[xX]|--exec)/.test(arg)) ? 'find' : null
  return program === 'rg' && args.includes('--files') ? 'find' : null
}

/** Only shows less of what comes in. */
function isTrimmer(command: SimpleCommand): boolean {
  const call = callOf(command)
  if (call === null || targetOf(command) !== null || isFed(command)) return false
  const { program, args } = call
  if (program === 'head' || program === 'tail') return args.every((arg) => /^-|^\+?\d+$/.test(arg))
  if (program === 'sed') return isPrintedRange(args) && args.filter((arg) => !isFlag(arg)).length === 1
  return (program === 'sort' || program === 'less' || program === 'cat' || program === 'nl') && args.every(isFlag)
}
