import path from 'node:path'
import type { Action } from '../contract/action.ts'
import type { TurnBlock } from '../contract/turn.ts'
import type { Driver, ShellEnd } from '../drivers/contract.ts'
import { drivers } from '../drivers/registry.ts'
import { readShell } from '../shell/read.ts'

type ToolUse = Extract<TurnBlock, { type: 'tool_use' }>
type ToolResult = Extract<TurnBlock, { type: 'tool_result' }>

/** What a call of a tool is about to do. */
export interface Call {
  /** Null for any other tool than the shell. */
  command: string | null
  /** Files that it changes if it succeeds. */
  files: string[]
  ended: (result: ToolResult) => ShellEnd | null
}

export const readCall = (driver: string | null, cwd: string | null, { name, input }: ToolUse): Call | null => {
  const known = drivers.find((one) => one.name === driver)
  if (known === undefined) return null
  const command = known.shell.call(name, input)?.command ?? null
  const files = changedFiles(known, cwd, { name, input })
  if (command === null && files.length === 0) return null
  return { command, files, ended: (result) => known.shell.end(result, {}) }
}

const changedFiles = (driver: Driver, cwd: string | null, { name, input }: Pick<ToolUse, 'name' | 'input'>): string[] =>
  driver.actions(name, input).actions.flatMap((action) => pathsOf(action, cwd))

const pathsOf = (action: Action, cwd: string | null): string[] => {
  switch (action.kind) {
    case 'write':
    case 'edit':
    case 'delete':
      return [shown(action.path, cwd)]
    case 'move':
      return [shown(action.from, cwd), shown(action.to, cwd)]
    case 'shell':
      return writtenBy(action.command, cwd)
    default:
      return []
  }
}

/** Only what is surely of this work tree: a line may also write to devices, to other machines and to places that nobody can tell. */
const writtenBy = (command: string, cwd: string | null): string[] => {
  if (cwd === null) return []
  const { runs } = readShell(command, { cwd, home: null })
  const paths = runs.flatMap(({ writes, deletes }) => [...writes, ...deletes]).filter((file) => file !== null)
  return [...new Set(paths)].filter((file) => file.startsWith(`${cwd}/`)).map((file) => shown(file, cwd))
}

/** From where the agent works, or from another top. */
export const shown = (file: string, cwd: string | null): string => {
  if (cwd === null) return file
  const relative = path.relative(cwd, path.resolve(cwd, file))
  return relative === '' || relative.startsWith('..') ? file : relative
}
