import { createHash } from 'node:crypto'
import type { ToolCall } from '../../contract/hooks.ts'
import { changedFiles, inputSummary } from '../../contract/tool-input.ts'
import type { ShellEnd, ShellTool } from '../../drivers/contract.ts'
import { kindOf, type ToolKind, type WithTools } from '../../drivers/tool-kinds.ts'
import { normalise } from '../../base/shell/normalise.ts'
import { copyText } from '../../base/util/copy-text.ts'
import { escapeUnsafe } from '../../base/util/visible.ts'
import { justLooks, waits } from './looks.ts'

/** An edit of one place of a file. */
export interface Edit {
  file: string
  from: string
  to: string
}

/** A call before it has run. */
export interface Call {
  /** The same for the same call, however it is spelled. */
  key: string
  /** In short, to be shown. */
  what: string
  edit: Edit | null
  /** It could change a file, as far as can be told by looking at it. */
  mayChange: boolean
  /** It waits for something: that is no loop. */
  isWait: boolean
}

/** A call, and what came of it. */
export interface Step extends Call {
  /** The same for the same result. */
  result: string
  /** The end of it, to be shown. */
  shown: string
  isFailed: boolean
  at: number
}

/** The part of a driver that knows its tools. */
export interface Toolbox extends WithTools {
  shell: Pick<ShellTool, 'call'>
}

const longestShown = 100

/** The kinds of tools that wait for earlier calls. */
const waiting: readonly ToolKind[] = ['wait', 'poll']

export const callOf = (toolbox: Toolbox, { name, input }: ToolCall, cwd: string): Call => {
  const wanted = toolbox.shell.call(name, input)
  const what = short(wanted === null ? `${name} ${inputSummary(input)}` : wanted.command)
  if (wanted !== null) {
    const key = digest(`shell ${wanted.cwd ?? cwd} ${normalise(wanted.command)}`)
    return { key, what, edit: null, mayChange: !justLooks(wanted.command), isWait: waits(wanted.command) }
  }
  return {
    key: digest(`${name} ${JSON.stringify(input)}`),
    what,
    edit: findEdit(input),
    mayChange: changedFiles(name, input).length > 0,
    isWait: waiting.includes(kindOf(toolbox, name)),
  }
}

/** `end`: for a command that was run. */
export const stepOf = (call: Call, end: ShellEnd | null, response: unknown, at: number): Step => {
  const isFailed = end?.outcome === 'failed'
  const text = end?.output ?? (typeof response === 'string' ? response : (JSON.stringify(response) ?? ''))
  const told = `${end?.outcome ?? ''} ${end?.exit ?? ''} ${isFailed ? changing.reduce((left, pattern) => left.replaceAll(pattern, '#'), text) : text}`
  const isWait = call.isWait || end?.outcome === 'background'
  return {
    ...call,
    result: digest(told),
    shown: short(text.trimEnd().slice(-4000).split('\n').at(-1) ?? ''),
    isFailed,
    isWait,
    at,
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** On one line that nothing obeys, without what would end a quotation. It is kept, what it was cut from is not. */
export const short = (text: string): string => {
  const line = escapeUnsafe(
    text
      .slice(0, 4 * longestShown)
      .replace(/\s+/g, ' ')
      .trim(),
  ).replaceAll('`', "'")
  return copyText(line.length <= longestShown ? line : `${line.slice(0, longestShown - 1)}…`)
}

/** Parts that differ between equal failures; the names and number of failed tests stay. */
const changing: readonly RegExp[] = [
  /\b\d{4}-\d\d-\d\d(?:[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?)?/g,
  /\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/g,
  /\b\d+(?:[.,]\d+)? ?(?:ns|µs|us|ms|s|sec|secs|seconds?|m|min|minutes?)\b/g,
  /\b0x[0-9a-f]+\b/gi,
  /\b(?:pid|port|process)\W{0,3}\d+\b/gi,
  /\/(?:tmp|var\/folders)\/[\w./+-]+/g,
]
const fileNames = ['file_path', 'filePath', 'path']
const oldNames = ['old_string', 'oldString', 'old_str']
const newNames = ['new_string', 'newString', 'new_str']

const findEdit = (input: Record<string, unknown>): Edit | null => {
  const [file, from, to] = [fileNames, oldNames, newNames].map((names) =>
    names.map((name) => input[name]).find((value) => typeof value === 'string'),
  )
  return file === undefined || from === undefined || to === undefined
    ? null
    : { file, from: digest(from), to: digest(to) }
}
