import { v4 as uuid } from 'uuid'
import type { Question } from '../../contract/agent.ts'
import type { Answer } from '../../contract/host.ts'
import { isObject, parseObject, textOf } from '../../base/util/json.ts'
import { chooseAnswers, readChoices } from '../choices.ts'
import type { Send, StreamEvent, StreamSession } from '../contract.ts'
import { asObject, type Json, listObjects } from '../json.ts'
import { soonest } from '../reset-time.ts'
import { activity, loggedOutState, streamState } from '../stream-events.ts'
import { findLimit } from './limit.ts'
import { ClaudeLive } from './live.ts'
import { questionOf } from './question.ts'

/** Claude Code's bidirectional stream-json. */
export const stream = (send: Send, now: () => number = Date.now): StreamSession => {
  const limits = new Limits(now)
  const models = new Models()
  const live = new ClaudeLive()
  const say = (message: unknown): Promise<void> => send(`${JSON.stringify(message)}\n`)
  return {
    begin: () => Promise.resolve(),
    prompt: (text) => say({ type: 'user', message: { role: 'user', content: text } }),
    interrupt: () => say({ type: 'control_request', request_id: uuid(), request: { subtype: 'interrupt' } }),
    answer: (question, answer) =>
      say({
        type: 'control_response',
        response: { subtype: 'success', request_id: question.id, response: permission(question, answer) },
      }),
    receive: (text) => {
      const message = parseObject(text)
      return message === null ? [activity] : [...decodeMessage(message, limits), ...models.read(message)]
    },
    live: (text) => {
      const message = parseObject(text)
      return message === null ? [] : live.read(message)
    },
  }
}

/** The start of each turn names the model, the end its context window. */
class Models {
  #name: string | null = null
  readonly #windows = new Map<string, number>()

  read({ type, subtype, model, modelUsage }: Json): StreamEvent[] {
    if (type === 'system' && subtype === 'init') this.#name = textOf(model)
    else if (type !== 'result' || !isObject(modelUsage)) return []
    for (const [used, usage] of type === 'result' ? Object.entries(asObject(modelUsage)) : []) {
      const { contextWindow } = asObject(usage)
      if (typeof contextWindow === 'number' && contextWindow > 0) this.#windows.set(used, contextWindow)
    }
    const name = this.#name
    return name === null ? [] : [{ kind: 'model', model: { name, window: this.#windows.get(name) ?? null } }]
  }
}

const permission = (question: Question, answer: Answer): Json => {
  if (answer.kind === 'allow') return { behavior: 'allow', updatedInput: question.input }
  if (answer.kind === 'deny') return { behavior: 'deny', message: answer.message ?? 'Denied by the user.' }
  if (question.kind !== 'question') return { behavior: 'deny', message: answer.text }
  const choices = readChoices(question.input)
  const said = chooseAnswers(choices, answer.text)
  // An answer is given under the text of its question.
  const answers = Object.fromEntries(choices.map((one, index) => [one.question, said[index]]))
  return { behavior: 'allow', updatedInput: { ...question.input, answers } }
}

const decodeMessage = (message: Json, limits: Limits): StreamEvent[] => {
  if (message.type === 'control_request') {
    const request = asObject(message.request)
    if (request.subtype !== 'can_use_tool') return [activity]
    const input = asObject(request.input)
    const question = questionOf(String(message.request_id), String(request.tool_name), input)
    const evidence = { source: 'stream' as const, detail: `can_use_tool ${question.tool}` }
    const outlastsTurn = textOf(request.agent_id) !== null
    return [{ kind: 'asked', question, call: textOf(request.tool_use_id), outlastsTurn, evidence }]
  }
  if (message.type === 'control_cancel_request') return [{ kind: 'settled', ids: [String(message.request_id)] }]
  if (message.type === 'result')
    return [
      limits.inResult(message) ??
        // Its own message about an error, not one of its model.
        (message.is_error === true ? loggedOutState(textOf(message.result) ?? '') : null) ??
        streamState('idle', `result ${String(message.subtype)}`),
    ]
  // One in the background goes on when the agent itself is idle.
  const ownState = (detail: string) =>
    textOf(message.parent_tool_use_id) !== null ? activity : streamState('working', detail)
  if (message.type === 'assistant') return [limits.inReply(message) ?? ownState('assistant')]
  if (message.type === 'rate_limit_event') limits.hear(message.rate_limit_info)
  if (message.type === 'user') {
    const results = listObjects(asObject(message.message).content).filter(({ type }) => type === 'tool_result')
    return [{ kind: 'settled', ids: results.map((block) => String(block.tool_use_id)) }, ownState('user')]
  }
  if (message.type === 'system' && message.subtype === 'init') {
    // The CLI prints this at the start of every turn, not of the process.
    const working = streamState('working', 'system init')
    const conversation = textOf(message.session_id)
    return conversation === null
      ? [working]
      : [{ kind: 'conversation', conversation, evidence: working.evidence }, working]
  }
  return [activity]
}

/** Finds the usage limit in a message; the limit event, in versions that have one, has the reset to the second. */
class Limits {
  readonly #now: () => number
  #resetsAt: number | null = null

  constructor(now: () => number) {
    this.#now = now
  }

  /** Rejected requests may still go on at the account's extra cost. */
  hear(info: unknown): void {
    const { status, resetsAt, isUsingOverage } = asObject(info)
    const isUsedUp = status === 'rejected' && isUsingOverage !== true && typeof resetsAt === 'number'
    this.#resetsAt = isUsedUp ? resetsAt * 1000 : null
  }

  inReply({ error, message }: Json): StreamEvent | null {
    const content = listObjects(asObject(message).content)
    return this.#limited(error, content.map((block) => textOf(block.text) ?? '').join('\n'))
  }

  inResult({ is_error: isError, result }: Json): StreamEvent | null {
    return isError === true ? this.#limited('rate_limit', textOf(result) ?? '') : null
  }

  #limited(error: unknown, text: string): StreamEvent | null {
    const now = this.#now()
    const limit = findLimit(error, text, now)
    if (limit === null) return null
    const evidence = { source: 'stream' as const, detail: text }
    const until = soonest(this.#resetsAt === null ? [] : [this.#resetsAt], now) ?? limit.until
    return { kind: 'state', state: 'limited', evidence, question: null, until }
  }
}
