import { join } from 'node:path'
import type { Action, ToolActions } from '../../contract/action.ts'
import { textOf } from '../../base/util/json.ts'
import { asObject, type Json, listObjects } from '../json.ts'
import { diffActions, patchesIn } from '../patch.ts'
import { eitherOf, patches, polls, readTools, reads, type ToolReader } from '../tool-actions.ts'
import type { ToolKinds } from '../tool-kinds.ts'
import { rewrittenCommand, shell } from './shell.ts'

/** Changes as the app-server reports them. */
const toldChanges: ToolReader = {
  kind: 'change',
  read: ({ changes }) => {
    const all = listObjects(changes).flatMap(({ path, kind, diff }): Action[] => {
      const [file, text] = [textOf(path) ?? '', textOf(diff) ?? '']
      const { type, move_path: target } = asObject(kind)
      if (type === 'delete') return [{ kind: 'delete', path: file }]
      if (type === 'add') return [{ kind: 'write', path: file, content: text }]
      const to = textOf(target)
      return [...diffActions(file, text), ...(to === null ? [] : [{ kind: 'move' as const, from: file, to }])]
    })
    return { actions: all.length === 0 ? [{ kind: 'unreadable', why: 'no changes' }] : all, rewritten: () => null }
  },
}

/** Tools for sub-agents, by the names of its transcript. */
const agentTools: ToolKinds = {
  spawn_agent: 'agent',
  resume_agent: 'delegate',
  send_input: 'delegate',
  wait: 'wait',
  wait_agent: 'wait',
  close_agent: 'none',
}

/** To its hooks Codex names them with the name of their group in front, and nothing in between; the first without. */
const groupedTools: ToolKinds = Object.fromEntries(
  Object.entries(agentTools).map(([name, kind]) => [`multi_agent_v1${name}`, kind]),
)

const { tools, actions: otherActions } = readTools(shell, {
  own: {
    Bash: 'shell',
    apply_patch: eitherOf(patches('command', 'input'), toldChanges),
    view_image: reads('path'),
    ...groupedTools,
    ...agentTools,
    create_goal: 'none',
    get_goal: 'none',
    list_mcp_resource_templates: 'none',
    list_mcp_resources: 'none',
    read_mcp_resource: 'none',
    request_user_input: 'none',
    update_goal: 'none',
    update_plan: 'none',
    web_search: 'none',
  },
  told: {
    exec_command: 'shell',
    shell: 'shell',
    shell_command: 'shell',
    local_shell: 'shell',
    write_stdin: polls('chars'),
  },
  mcp: { prefix: 'mcp__', between: '__' },
})

export { tools }

/** At the place of a program in a command. */
const patchProgram = /^\s*(?:(?:then|do|else)\s+)?(?:\S*\/)?apply_?patch(?=\s|$)/

/** Codex itself applies a patch in a command, so such a command also changes files. */
export const actions = (name: string, input: Json): ToolActions => {
  const call = shell.call(name, input)
  if (call === null) return otherActions(name, input)
  const command: Action = { kind: 'shell', ...call }
  const parts = call.command.split(/[\n;&|()]/)
  if (!parts.some((part) => patchProgram.test(part)))
    return { actions: [command], rewritten: (text) => rewrittenCommand(input, text) }
  return { actions: [command, ...findFiles(call.command, call.cwd ?? '')], rewritten: () => null }
}

const changedTo = /^\s*cd\s+(?:'([^']+)'|"([^"]+)"|([^\s;&|<>'"]+))\s*&&/

const findFiles = (command: string, cwd: string): Action[] => {
  const found = patchesIn(command)
  if (found.length === 0) return [{ kind: 'unreadable', why: 'its patch does not stand in the command' }]
  const [, single, double, plain] = changedTo.exec(command) ?? []
  const directory = join(cwd, single ?? double ?? plain ?? '')
  const placed = (path: string): string => (path.startsWith('/') || directory === '.' ? path : join(directory, path))
  return found.map((action) => {
    if (action.kind === 'move') return { ...action, from: placed(action.from), to: placed(action.to) }
    return 'path' in action ? { ...action, path: placed(action.path) } : action
  })
}
