import { join } from 'node:path'
import type { Action, ToolActions } from '../../contract/action.ts'
import { isObject, textOf } from '../../util/ndjson.ts'
import { diffActions, patchesIn } from '../patch.ts'
import { actionsBy, eitherOf, mcpNamed, patches, reads, runs } from '../tool-actions.ts'
import { rewrittenCommand, shell } from './shell.ts'

type Input = Record<string, unknown>

/** As the app-server tells them. */
function toldChanges({ changes }: Input): ToolActions {
  const all = Array.isArray(changes) ? changes.filter(isObject).flatMap(changeActions) : []
  return { actions: all.length === 0 ? [{ kind: 'unreadable', why: 'no changes' }] : all, rewritten: () => null }
}

const others = actionsBy(
  shell,
  {
    write_stdin: runs('chars'),
    apply_patch: eitherOf(patches('command', 'input'), toldChanges),
    view_image: reads('path'),
  },
  mcpNamed('mcp__', '__'),
)

/** Codex applies patches that a command holds by itself: such a command is the files, too. */
export const actions = (name: string, input: Input): ToolActions => {
  const call = shell.call(name, input)
  if (call === null) return others(name, input)
  const command: Action = { kind: 'shell', ...call }
  if (!patching.test(call.command)) return { actions: [command], rewritten: (text) => rewrittenCommand(input, text) }
  return { actions: [command, ...filesOf(call.command, call.cwd ?? '')], rewritten: () => null }
}

/** It stands where a program does. */
const patching = /(?:^|[\n;&|(]|\b(?:then|do|else))\s*(?:\S*\/)?apply_?patch(?=\s|$)/
const changedTo = /^\s*cd\s+(?:'([^']+)'|"([^"]+)"|([^\s;&|<>'"]+))\s*&&/

const filesOf = (command: string, cwd: string): Action[] => {
  const found = patchesIn(command)
  if (found.length === 0) return [{ kind: 'unreadable', why: 'its patch does not stand in the command' }]
  const [, single, double, plain] = changedTo.exec(command) ?? []
  const directory = join(cwd, single ?? double ?? plain ?? '')
  return found.map((action) => within(directory, action))
}

const within = (directory: string, action: Action): Action => {
  const placed = (path: string): string => (path.startsWith('/') || directory === '.' ? path : join(directory, path))
  if (action.kind === 'move') return { ...action, from: placed(action.from), to: placed(action.to) }
  return 'path' in action ? { ...action, path: placed(action.path) } : action
}

const changeActions = ({ path, kind, diff }: Input): Action[] => {
  const [file, text] = [textOf(path) ?? '', textOf(diff) ?? '']
  const { type, move_path: target } = isObject(kind) ? kind : {}
  if (type === 'delete') return [{ kind: 'delete', path: file }]
  if (type === 'add') return [{ kind: 'write', path: file, content: text }]
  const to = textOf(target)
  return [...diffActions(file, text), ...(to === null ? [] : [{ kind: 'move' as const, from: file, to }])]
}
