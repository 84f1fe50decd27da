import type { Question } from '../contract/agent.ts'
import { ReinError } from '../contract/errors.ts'
import type { ToolCall } from '../contract/hooks.ts'
import type { Answer } from '../contract/host.ts'
import { isObject, textOf } from '../base/util/json.ts'
import { labelFor } from './choices.ts'

interface PermissionOption {
  id: string
  name: string
  means: 'allow' | 'deny' | 'other'
  isOnce: boolean
}

/** A `session/request_permission` that waits for its answer. */
export interface PermissionRequest {
  /** A number or a string, as the CLI gave it. */
  rpcId: unknown
  question: Question
  call: string | null
  /** The call in the CLI's own words, where those can be told. */
  tool: Pick<ToolCall, 'name' | 'input'> | undefined
  options: PermissionOption[]
}

/** What a CLI's own tool and its input are, as far as its request tells. */
export type AcpTool = (toolCall: Record<string, unknown>) => PermissionRequest['tool']

export const permissionIn = (
  rpcId: unknown,
  params: Record<string, unknown>,
  toolOf: AcpTool = () => undefined,
): PermissionRequest => {
  const toolCall = isObject(params.toolCall) ? params.toolCall : {}
  const options = Array.isArray(params.options) ? params.options.filter(isObject).map(optionOf) : []
  const question = { ...questionOf(String(rpcId), toolCall), options: options.map(({ name }) => name) }
  return { rpcId, question, call: textOf(toolCall.toolCallId), tool: toolOf(toolCall), options }
}

/** Text that names an option chooses it; other text, like a refusal, says no. Null where nothing says no. */
export const optionFor = (options: readonly PermissionOption[], answer: Answer): PermissionOption | null => {
  if (answer.kind === 'allow') return allowOnce(options)
  const named = answer.kind === 'text' ? namedBy(options, answer.text) : undefined
  const denying = options.filter(({ means }) => means === 'deny')
  return named ?? denying.find(({ isOnce }) => isOnce) ?? denying[0] ?? null
}

/** What is allowed is allowed once: more is for a person to choose, by its name. */
const allowOnce = (options: readonly PermissionOption[]): PermissionOption => {
  const option = options.find(({ means, isOnce }) => means === 'allow' && isOnce)
  if (option !== undefined) return option
  const offered = options.map(({ name }, index) => `${index + 1}. ${name}`).join(', ')
  throw new ReinError('refused', 'This cannot be allowed just once.', `Name what is to be done: ${offered}`)
}

export const namedBy = (options: readonly PermissionOption[], text: string): PermissionOption | undefined => {
  const label = labelFor(
    options.map(({ name }) => name),
    text,
  )
  return options.find(({ name, id }) => name === label || id === text)
}

const optionOf = ({ optionId, name, kind }: Record<string, unknown>): PermissionOption => ({
  id: String(optionId),
  name: String(name),
  means: meaning(String(kind)),
  isOnce: String(kind).endsWith('_once'),
})

const meaning = (kind: string): PermissionOption['means'] => {
  if (kind.startsWith('allow_')) return 'allow'
  return kind.startsWith('reject_') ? 'deny' : 'other'
}

/** `switch_mode` is how an agent leaves its plan mode. */
const questionOf = (id: string, toolCall: Record<string, unknown>): Question => {
  const tool = textOf(toolCall.kind) ?? 'tool'
  const input = isObject(toolCall.rawInput) ? toolCall.rawInput : shownOf(tool, toolCall)
  const title = textOf(toolCall.title) ?? tool
  const detail = textOf(input.command) ?? textOf(input.plan)
  const summary = detail === null || title.includes(detail) ? title : `${title}: ${detail}`
  return { id, kind: tool === 'switch_mode' ? 'plan' : 'permission', tool, input, summary }
}

/** One that does not tell its input shows what it is about: a command by its title, files by what changes in them. */
const shownOf = (tool: string, { title, content }: Record<string, unknown>): Record<string, unknown> => {
  const shown = Array.isArray(content) ? content.filter(isObject) : []
  const changes = shown.filter(({ type }) => type === 'diff').map(changeIn)
  return {
    ...(textOf(title) === null ? {} : { [tool === 'execute' ? 'command' : 'description']: title }),
    ...(changes.length === 0 ? {} : { changes }),
  }
}

/** Whole files stand there: only the lines that differ are taken. */
const changeIn = ({ path, oldText, newText }: Record<string, unknown>): Record<string, unknown> => {
  const [old, changed] = [linesOf(oldText), linesOf(newText)]
  const same = old.findIndex((line, index) => line !== changed[index])
  const before = same < 0 ? Math.min(old.length, changed.length) : same
  const room = Math.min(old.length, changed.length) - before
  const differs = old.toReversed().findIndex((line, index) => line !== changed.at(-1 - index))
  const after = Math.min(room, differs < 0 ? room : differs)
  const part = (lines: readonly string[]): string => lines.slice(before, lines.length - after).join('')
  return { path, isNew: old.length === 0, old: part(old), new: part(changed) }
}

/** Each with its end. */
const linesOf = (text: unknown): string[] => (textOf(text) ?? '').match(/[^\n]*\n|[^\n]+$/g) ?? []
