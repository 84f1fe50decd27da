import type { Action, McpTool, ToolActions } from '../../contract/action.ts'
import type { HookCall, ToolCall } from '../../contract/hooks.ts'
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
  return toolsIn(call).flatMap((tool) => toolSubjects(tool, actions))
}

/** A permission is asked for before the tool runs, too; a question of the model's or a plan is no tool's. */
const toolsIn = ({
  event,
  tools,
  question,
}: Pick<HookCall, 'event' | 'tools' | 'question'>): Pick<ToolCall, 'name' | 'input'>[] => {
  if (event === 'before_tool') return tools
  const isAsked = event === 'permission' && question?.kind === 'permission'
  return isAsked ? [{ name: question.tool, input: question.input }] : []
}

const toolSubjects = ({ name, input }: Pick<ToolCall, 'name' | 'input'>, read: ReadActions): Subject[] => {
  const { actions } = read(name, input)
  const looks = actions.flatMap((action) => surfacesOf(action, actions))
  return looks.map(({ surface, action }) => ({ surface, action, tool: name, input, prompt: null }))
}

type Look = { surface: Surface; action: Action }

const changes = ['write', 'edit', 'delete'] as const

/** An unreadable call may do anything to any file. */
const surfacesOf = (action: Action, all: readonly Action[]): Look[] => {
  if (action.kind === 'unreadable-fetch') return [{ surface: 'fetch', action }]
  if (action.kind === 'unreadable') return changes.map((surface) => ({ surface, action }))
  return action.kind === 'move' ? moved(action, all) : [{ surface: action.kind, action }]
}

/** The content of a file that one call moves and changes is known as far as the changes go. */
const moved = ({ from, to }: Extract<Action, { kind: 'move' }>, all: readonly Action[]): Look[] => {
  const edits = all.filter((action) => action.kind === 'edit' && action.path === from)
  const texts = edits.flatMap((edit) => (edit.kind === 'edit' ? edit.replacements.map((one) => one.new) : []))
  return [
    { surface: 'delete', action: { kind: 'delete', path: from } },
    { surface: 'write', action: { kind: 'write', path: to, content: texts.join('\n') } },
  ]
}

/** As `server/tool`: a pattern fits the call if it fits one of these, whether it takes in or out. */
export const mcpNames = ({ server, tool, readings }: Extract<Action, { kind: 'mcp' }>): string[] =>
  (readings ?? [{ server, tool }]).map((one: McpTool) => `${one.server}/${one.tool}`)
