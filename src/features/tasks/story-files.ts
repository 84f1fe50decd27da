import path from 'node:path'
import type { Action } from '../../contract/action.ts'
import type { TurnBlock } from '../../contract/turn.ts'
import type { ShellEnd } from '../../drivers/contract.ts'
import { drivers } from '../../drivers/registry.ts'
import type { ShellReading } from '../../base/shell/reading.ts'

type ToolUse = Extract<TurnBlock, { type: 'tool_use' }>
type ToolResult = Extract<TurnBlock, { type: 'tool_result' }>

export type ReadLine = (command: string, cwd: string) => ShellReading

/** The lines of shell that calls run. */
export const linesIn = (driver: string | null, blocks: readonly TurnBlock[]): string[] => {
  const known = drivers.find((one) => one.name === driver)
  return blocks
    .filter((block) => block.type === 'tool_use')
    .flatMap(({ name, input }) => known?.actions(name, input).actions ?? [])
    .flatMap((action) => (action.kind === 'shell' ? action.command : []))
}

/** The actions of a tool call. */
export interface Call {
  /** Null for any other tool than the shell. */
  command: string | null
  /** Files that it changes if it succeeds. */
  files: string[]
  ended: (result: ToolResult) => ShellEnd | null
}

export const readCall = (
  driver: string | null,
  cwd: string | null,
  { name, input }: ToolUse,
  read: ReadLine,
): Call | null => {
  const known = drivers.find((one) => one.name === driver)
  if (known === undefined) return null
  const command = known.shell.call(name, input)?.command ?? null
  const files = known.actions(name, input).actions.flatMap((action) => pathsOf(action, cwd, read))
  if (command === null && files.length === 0) return null
  return { command, files, ended: (result) => known.shell.end(result, {}) }
}

const pathsOf = (action: Action, cwd: string | null, read: ReadLine): string[] => {
  switch (action.kind) {
    case 'write':
    case 'edit':
    case 'delete':
      return [shown(action.path, cwd)]
    case 'move':
      return [shown(action.from, cwd), shown(action.to, cwd)]
    case 'shell':
      if (cwd === null) return []
      // Only files that are certainly in this work tree: a line may also write to devices, other machines and unknown places.
      return [...new Set(read(action.command, cwd).runs.flatMap(({ writes, deletes }) => [...writes, ...deletes]))]
        .filter((file) => file?.startsWith(`${cwd}/`) === true)
        .map((file) => shown(file ?? '', cwd))
    default:
      return []
  }
}

/** From where the agent works, or from another top. */
export const shown = (file: string, cwd: string | null): string => {
  if (cwd === null) return file
  const relative = path.relative(cwd, path.resolve(cwd, file))
  return relative === '' || relative.startsWith('..') ? file : relative
}
