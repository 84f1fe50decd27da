import type { FileTools } from '../../../drivers/contract.ts'
import { flatten, LONGEST_READ, type ShellWord, type SimpleCommand } from '../../../base/shell/flatten.ts'
import { baseName, programIndex } from '../../../base/shell/programs.ts'

/** A tool of the agent for the purpose its shell was used for. */
export interface WrongTool {
  readonly kind: keyof FileTools
  /** The name of the tool. */
  readonly instead: string
  readonly why: string
}

const reasons: Readonly<Record<keyof FileTools, string>> = {
  read: 'it shows a file, or a part of it',
  edit: 'it changes a part of a file',
  write: 'it writes a file',
  search: 'it searches in files',
  find: 'it finds files by name',
}

/** Null if the shell is right, or the agent has no such tool. */
export const wrongTool = (command: string, tools: FileTools): WrongTool | null => {
  // The shell may substitute something in a document whose mark is not quoted.
  if (/<<-?\s*\w/.test(command) && /[$`]/.test(command.slice(command.indexOf('\n')))) return null
  if (command.length > LONGEST_READ) {
    // A command too long to be read must be one document that ends with the command.
    const lines = command.trimEnd().split('\n')
    const mark = /<<-? ?['"]?(\w+)/.exec(lines[0] ?? '')?.[1]
    if (mark === undefined || lines.indexOf(mark) !== lines.length - 1) return null
  }
  const pipelines: SimpleCommand[][] = [[]]
  for (const piece of flatten(command)) {
    if ('command' in piece) pipelines.at(-1)?.push(piece.command)
    else if (piece.joint === '&&' || piece.joint === '||' || piece.joint === ';') pipelines.push([])
    // Loops, conditions and background jobs are programs, not a look at a file.
    else if (piece.joint !== '|') return null
  }
  const kinds = new Set(
    pipelines
      .filter(([first, more]) => {
        // Commands that only move about or print a line between two outputs do not count.
        const isAside = more === undefined && /^(?:cd|echo|printf|true|:|pwd)$/.test(first?.words[0]?.value ?? '')
        return first !== undefined && (!isAside || findTarget(first) !== null)
      })
      .map(classifyPipeline),
  )
  const [kind] = kinds
  if (kinds.size !== 1 || kind === undefined || kind === null) return null
  const instead = tools[kind] ?? (kind === 'write' ? tools.edit : null)
  return instead === null ? null : { kind, instead, why: reasons[kind] }
}

interface Call {
  readonly program: string
  readonly args: readonly string[]
  readonly command: SimpleCommand
}

const readCall = (command: SimpleCommand | undefined): Call | null => {
  const words = command?.words.map(({ value }) => value) ?? []
  const at = programIndex(words)
  if (command === undefined || words.slice(0, at).some((word) => word === 'sudo' || word === 'doas')) return null
  return { program: baseName(words[at] ?? ''), args: words.slice(at + 1), command }
}

const classifyPipeline = (pipeline: readonly SimpleCommand[]): keyof FileTools | null => {
  const call = readCall(pipeline[0])
  if (call === null) return null
  const written = classifyWrite(call)
  if (written !== null) return pipeline.length === 1 ? written : null
  if (findTarget(call.command) !== null || isFed(call.command)) return null
  return pipeline.slice(1).every(isTrimmer) ? classifyLook(call) : null
}

const isFed = ({ redirects }: SimpleCommand): boolean => redirects.some(({ operator }) => operator.startsWith('<'))

/** The file that the output goes into. */
const findTarget = ({ redirects }: SimpleCommand): { file: ShellWord; isAdded: boolean } | null => {
  for (const { operator, target } of redirects) {
    if (!/^(?:>|>>|>\||&>|&>>)$/.test(operator) || target === undefined) continue
    if (target.value !== '/dev/null') return { file: target, isAdded: operator.endsWith('>>') }
  }
  return null
}

/** A name that only the shell can expand, or a device. */
const isOpen = (word: string): boolean => /[$`*?{[]|^\/(?:dev|proc|sys)\//.test(word)
const isFlag = (word: string): boolean => word.startsWith('-') && word !== '-'
const listOperands = (args: readonly string[]): string[] => args.filter((arg) => !isFlag(arg))

const classifyWrite = ({ program, args, command }: Call): 'edit' | 'write' | null => {
  const isHeredoc = command.redirects.some(({ operator }) => operator === '<<' || operator === '<<-')
  if (program === 'sed' || program === 'perl') {
    const isInPlace = program === 'sed' ? /^(?:-[nErs]*i.*|--in-place.*)$/ : /^-[a-z0]*i/
    const hasScriptFlag = args.some((arg) => /^-[a-zE0]*e$|^--expression/.test(arg))
    const plain = args.filter((arg, index) => arg !== '' && !isFlag(arg) && !/^-[a-zE0]*e$/.test(args[index - 1] ?? ''))
    const files = plain.slice(hasScriptFlag ? 0 : 1)
    // A change of many files at once is work for the shell.
    const areFew = files.length > 0 && files.length <= 2 && !files.some(isOpen)
    return areFew && args.some((arg) => isInPlace.test(arg)) ? 'edit' : null
  }
  if (program === 'tee') {
    const [file, more] = listOperands(args)
    if (!isHeredoc || file === undefined || more !== undefined || isOpen(file)) return null
    return args.includes('-a') ? 'edit' : 'write'
  }
  const target = findTarget(command)
  if (target === null || isOpen(target.file.text)) return null
  // Text in which the shell replaces nothing.
  const isFixedText =
    (program === 'echo' || program === 'printf') &&
    command.words.slice(1).every(({ text }) => /^'[^']*'$/.test(text) || !/[$`]/.test(text))
  const isText = program === 'cat' ? isHeredoc && args.length === 0 : isFixedText
  if (!isText) return null
  return target.isAdded ? 'edit' : 'write'
}

const areFiles = (words: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => word !== '-' && !isOpen(word))

const isPrintedRange = (args: readonly string[]): boolean =>
  args.includes('-n') &&
  args.every((arg) => !isFlag(arg) || arg === '-n') &&
  /^(?:\d+(?:,(?:\d+|\$))?[pq];? ?)+$/.test(listOperands(args)[0] ?? '')

const readers = new Set(['cat', 'less', 'more', 'bat', 'nl'])
const greps = new Set(['grep', 'egrep', 'fgrep'])
const searchers = new Set(['rg', 'ag', 'ack'])
const nameTests = new Set(['-name', '-iname', '-path', '-ipath', '-wholename', '-regex', '-iregex'])
/** Tests and actions that a search by name cannot do. */
const beyondName =
  /^-(?:exec|execdir|ok|okdir|delete|print0|printf|newer|mtime|mmin|ctime|size|perm|user|empty|ls|fprint)/

const classifyLook = ({ program, args }: Call): 'read' | 'search' | 'find' | null => {
  const operands = listOperands(args)
  const has = (pattern: RegExp): boolean => args.some((arg) => pattern.test(arg))
  if (program === 'sed') return isPrintedRange(args) && areFiles(operands.slice(1)) ? 'read' : null
  if (program === 'head' || program === 'tail') {
    if (has(/^(?:-[a-zA-Z]*[fFc]|--(?:follow|bytes|retry|pid))/)) return null
    const isFile = (arg: string, index: number): boolean =>
      !isFlag(arg) && !/^[-+]/.test(arg) && args[index - 1] !== '-n'
    return areFiles(args.filter(isFile)) ? 'read' : null
  }
  if (readers.has(program)) {
    // No tool shows control characters as `cat -A` does.
    if (program === 'cat' && has(/^(?:-[a-zA-Z]*[AETetv]|--show-)/)) return null
    return areFiles(operands) ? 'read' : null
  }
  if (program === 'rg' && args.includes('--files')) return 'find'
  if (searchers.has(program) || greps.has(program)) {
    if (has(/^(?:-[a-zA-Z]*q|--(?:quiet|silent|version|help|files|type-list|replace))/)) return null
    if (searchers.has(program)) return operands.length > 0 || args.includes('-e') ? 'search' : null
    if (has(/^-[a-zA-Z]*[rR]|^--recursive/)) return 'search'
    const hasFile = operands.length > (has(/^-[a-zA-Z]*e$|^--regexp/) ? 2 : 1)
    return hasFile && !operands.slice(1).some((arg) => /^\/(?:dev|proc|sys)\//.test(arg)) ? 'search' : null
  }
  if (program === 'find') return args.some((arg) => nameTests.has(arg)) && !has(beyondName) ? 'find' : null
  const isFd = program === 'fd' || program === 'fdfind'
  return isFd && operands.length > 0 && !has(/^(?:-[xX]|--exec)/) ? 'find' : null
}

/** Whether a command only shows less of its input. */
const isTrimmer = (command: SimpleCommand): boolean => {
  const call = readCall(command)
  if (call === null || findTarget(command) !== null || isFed(command)) return false
  const { program, args } = call
  if (program === 'head' || program === 'tail') return args.every((arg) => /^-|^\+?\d+$/.test(arg))
  if (program === 'sed') return isPrintedRange(args) && listOperands(args).length === 1
  return (program === 'sort' || program === 'less' || program === 'cat' || program === 'nl') && args.every(isFlag)
}
