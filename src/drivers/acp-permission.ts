import type { Question } from '../contract/agent.ts'
import { ReinError } from '../contract/errors.ts'
import type { ToolCall } from '../contract/hooks.ts'
import type { Answer } from '../contract/host.ts'
import { isObject, textOf } from '../base/util/json.ts'
import { labelFor } from './choices.ts'
import { asObject, type Json, listObjects } from './json.ts'

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
  /** The CLI's own tool call, if the request reveals it. */
  tool: Pick<ToolCall, 'name' | 'input'> | undefined
  options: PermissionOption[]
}

/** Finds the CLI's own tool and its input in a request. */
export type AcpTool = (toolCall: Json) => PermissionRequest['tool']

export const readPermission = (
  rpcId: unknown,
  params: Json,
  readTool: AcpTool = () => undefined,
): PermissionRequest => {
  const toolCall = asObject(params.toolCall)
  const options = listObjects(params.options).map(
    ({ optionId, name, kind }): PermissionOption => ({
      id: String(optionId),
      name: String(name),
      means: String(kind).startsWith('allow_') ? 'allow' : String(kind).startsWith('reject_') ? 'deny' : 'other',
      isOnce: String(kind).endsWith('_once'),
    }),
  )
  const question = { ...questionOf(String(rpcId), toolCall), options: options.map(({ name }) => name) }
  return { rpcId, question, call: textOf(toolCall.toolCallId), tool: readTool(toolCall), options }
}

/** Text that names an option chooses it; other text, like a refusal, says no. Null where nothing says no. */
export const chooseOption = (options: readonly PermissionOption[], answer: Answer): PermissionOption | null => {
  if (answer.kind === 'allow') {
    // What is allowed is allowed once: more is for a person to choose, by its name.
    const option = options.find(({ means, isOnce }) => means === 'allow' && isOnce)
    if (option !== undefined) return option
    const offered = options.map(({ name }, index) => `${index + 1}. ${name}`).join(', ')
    throw new ReinError('refused', 'This cannot be allowed just once.', `Name what is to be done: ${offered}`)
  }
  const named = answer.kind === 'text' ? findNamed(options, answer.text) : undefined
  const denying = options.filter(({ means }) => means === 'deny')
  return named ?? denying.find(({ isOnce }) => isOnce) ?? denying[0] ?? null
}

export const findNamed = (options: readonly PermissionOption[], text: string): PermissionOption | undefined => {
  const label = labelFor(
    options.map(({ name }) => name),
    text,
  )
  return options.find(({ name, id }) => name === label || id === text)
}

/** `switch_mode` is how an agent leaves its plan mode. */
const questionOf = (id: string, toolCall: Json): Question => {
  const tool = textOf(toolCall.kind) ?? 'tool'
  // One that does not tell its input shows what it is about: a command by its title, files by what changes in them.
  const shown = listObjects(toolCall.content)
  // The request has whole files: only the lines that differ are kept.
  const changes = shown
    .filter(({ type }) => type === 'diff')
    .map(({ path, oldText, newText }) => {
      const [old, changed] = [parseLines(oldText), parseLines(newText)]
      const same = old.findIndex((line, index) => line !== changed[index])
      const before = same < 0 ? Math.min(old.length, changed.length) : same
      const room = Math.min(old.length, changed.length) - before
      const differs = old.toReversed().findIndex((line, index) => line !== changed.at(-1 - index))
      const after = Math.min(room, differs < 0 ? room : differs)
      const part = (lines: readonly string[]): string => lines.slice(before, lines.length - after).join('')
      return { path, isNew: old.length === 0, old: part(old), new: part(changed) }
    })
  const input = isObject(toolCall.rawInput)
    ? toolCall.rawInput
    : {
        ...(textOf(toolCall.title) === null
          ? {}
          : { [tool === 'execute' ? 'command' : 'description']: toolCall.title }),
        ...(changes.length === 0 ? {} : { changes }),
      }
  const title = textOf(toolCall.title) ?? tool
  const detail = textOf(input.command) ?? textOf(input.plan)
  const summary = detail === null || title.includes(detail) ? title : `${title}: ${detail}`
  return { id, kind: tool === 'switch_mode' ? 'plan' : 'permission', tool, input, summary }
}

/** Each with its end. */
const parseLines = (text: unknown): string[] => (textOf(text) ?? '').match(/[^\n]*\n|[^\n]+$/g) ?? []
