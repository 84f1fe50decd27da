import type { Action, McpTool, ToolActions } from '../../contract/action.ts'
import type { HookCall } from '../../contract/hooks.ts'
import type { Surface } from '../../contract/rule.ts'
import type { Subject } from './types.ts'

/** How a driver reads a tool call. */
export type ReadActions = (name: string, input: Record<string, unknown>) => ToolActions

const silent = { action: null, tool: null, input: {}, prompt: null }

/** Everything of a hook call that rules look at. */
export const subjectsOf = (
  call: Pick<HookCall, 'event' | 'tools' | 'prompt' | 'question'>,
  actions: ReadActions,
): Subject[] => {
  if (call.event === 'prompt') return [{ ...silent, surface: 'prompt', prompt: call.prompt ?? '' }]
  if (call.event === 'stop') return [{ ...silent, surface: 'stop' }]
  // A permission is asked for before the tool runs, too; a question of the model's or a plan is no tool's.
  const { question } = call
  const asked = question?.kind === 'permission' ? [{ name: question.tool, input: question.input }] : []
  const onPermission = call.event === 'permission' ? asked : []
  const tools = call.event === 'before_tool' ? call.tools : onPermission
  return tools.flatMap(({ name, input }) => {
    const all = actions(name, input).actions
    const looks = all.flatMap((action) => listLooks(action, all))
    return looks.map(({ surface, action }) => ({ surface, action, tool: name, input, prompt: null }))
  })
}

type Look = { surface: Surface; action: Action }

const changes = ['write', 'edit', 'delete'] as const

/** An unreadable call may do anything to any file. */
const listLooks = (action: Action, all: readonly Action[]): Look[] => {
  if (action.kind === 'unreadable-fetch') return [{ surface: 'fetch', action }]
  if (action.kind === 'unreadable') return changes.map((surface) => ({ surface, action }))
  if (action.kind !== 'move') return [{ surface: action.kind, action }]
  // The content of a file that one call moves and changes is known as far as the changes go.
  const { from, to } = action
  const edits = all.flatMap((one) => (one.kind === 'edit' && one.path === from ? one.replacements : []))
  return [
    { surface: 'delete', action: { kind: 'delete', path: from } },
    { surface: 'write', action: { kind: 'write', path: to, content: edits.map((one) => one.new).join('\n') } },
  ]
}

/** As `server/tool`: a pattern fits the call if it fits one of these, whether it takes in or out. */
export const mcpNames = ({ server, tool, readings }: Extract<Action, { kind: 'mcp' }>): string[] =>
  (readings ?? [{ server, tool }]).map((one: McpTool) => `${one.server}/${one.tool}`)
