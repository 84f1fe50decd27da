import type { Question } from '../../contract/agent.ts'
import type { Answer } from '../../contract/host.ts'
import { textOf } from '../../base/util/json.ts'
import { unquoted } from '../../base/util/shell.ts'
import { chooseAnswers, readChoices } from '../choices.ts'
import type { Json } from '../json.ts'
import { askUser, askPermission, listQuestionIds } from './question.ts'

/** A question of the app-server, and how it wants its answer. */
export interface Asked {
  rpcId: unknown
  method: Method
  params: Json
  question: Question
  /** The tool call that waits for it. */
  call: string | null
}

const tools = {
  'item/commandExecution/requestApproval': 'Bash',
  'item/fileChange/requestApproval': 'apply_patch',
  'item/permissions/requestApproval': 'request_permissions',
  'mcpServer/elicitation/request': 'MCP',
  'item/tool/requestUserInput': 'request_user_input',
} as const
type Method = keyof typeof tools
const isKnown = (method: string): method is Method => Object.hasOwn(tools, method)

/** Null for a request that is no question. `changes` are the file changes announced before. */
export const readQuestion = (method: string, rpcId: unknown, params: Json, changes?: unknown): Asked | null => {
  if (!isKnown(method)) return null
  const id = String(rpcId)
  const { command, reason, message, cwd, permissions, grantRoot } = params
  // The subject of the question, without the fields that only the protocol needs.
  const input = Object.entries({
    command: typeof command === 'string' ? withoutShell(command) : null,
    reason: reason ?? message,
    cwd,
    permissions,
    grantRoot,
    changes,
  }).filter(([, value]) => value !== undefined && value !== null)
  const question =
    method === 'item/tool/requestUserInput'
      ? askUser(id, params)
      : askPermission(id, textOf(params.serverName) ?? tools[method], Object.fromEntries(input))
  return { rpcId, method, params, question, call: textOf(params.itemId) }
}

export const withoutShell = (command: string): string => {
  const script = command.replace(/^\S*\/(?:ba|z)?sh -l?c /, '')
  return script === command ? command : (unquoted(script) ?? script)
}

/** The answer in the form of that kind of question, and the text to send with it. */
export const encodeAnswer = (
  { method, params, question }: Asked,
  answer: Answer,
): { result: Json; words: string | null } => {
  const isAllowed = answer.kind === 'allow'
  const words = answer.kind === 'text' ? answer.text : answer.kind === 'deny' ? answer.message : null
  if (method === 'item/tool/requestUserInput') {
    // Only the user's own words can choose among the offered answers.
    const said = words === null ? [] : chooseAnswers(readChoices(question.input), words)
    const answers = listQuestionIds(question.input).map((id, index) => [id, { answers: said.slice(index, index + 1) }])
    return { result: { answers: Object.fromEntries(answers) }, words: null }
  }
  if (method === 'mcpServer/elicitation/request')
    return { result: { action: isAllowed ? 'accept' : 'decline', content: isAllowed ? {} : null, _meta: null }, words }
  if (method === 'item/permissions/requestApproval')
    return { result: { permissions: isAllowed ? params.permissions : {}, scope: 'turn' }, words }
  return { result: { decision: isAllowed ? 'accept' : 'decline' }, words }
}
