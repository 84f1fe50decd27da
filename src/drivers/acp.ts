import { randomUUID } from 'node:crypto'
import type { Question } from '../contract/agent.ts'
import { ReinError } from '../contract/errors.ts'
import type { Answer, LaunchPlan, Opening } from '../contract/host.ts'
import type { LiveEvent } from '../contract/live.ts'
import { isObject, parseObject, textOf } from '../base/util/json.ts'
import { version } from '../base/util/version.ts'
import { AcpLive, type AcpLiveOptions } from './acp-live.ts'
import { type AcpTool, findNamed, chooseOption, type PermissionRequest, readPermission } from './acp-permission.ts'
import type { Send, StreamEvent, StreamSession } from './contract.ts'
import { asObject, type Json, listObjects } from './json.ts'
import { activity, loggedOutState, streamState } from './stream-events.ts'

/** A request to the CLI; the session's id is added to its parameters. */
interface AcpCall {
  method: string
  params: Json
}

/** What differs between the CLIs that speak the Agent Client Protocol. */
export interface AcpOptions {
  title: string
  /** The method that resumes a conversation. */
  resume: 'session/load' | 'session/resume'
  /** A prompt for a busy agent: sent, because the CLI queues it itself, or kept until the turn has ended. */
  whenBusy: 'send' | 'keep'
  live: AcpLiveOptions
  /** Reads the tool that a request asks about; left out where hooks report the tools. */
  readTool?: AcpTool
  /** The way to log in, of those the CLI offers; null if it logs in by itself. */
  authenticate(methods: string[]): string | null
  /** What is to be set in a conversation that is open now: model, mode. `opened` is the CLI's answer to opening it. */
  configure(opening: Opening, opened: Json): AcpCall[]
}

interface Waiting {
  resolve(result: Json): void
  reject(cause: Error): void
}

/** Kinds of `session/update` that only a turn makes; the rest is news about the session. */
const turnUpdates: readonly unknown[] = [
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
]

/** One process that speaks ACP: JSON-RPC, one message a line. */
export const acpSession = (options: AcpOptions, send: Send, newId: () => string = randomUUID): StreamSession =>
  new AcpSession(options, send, newId)

class AcpSession implements StreamSession {
  readonly #options: AcpOptions
  readonly #send: Send
  readonly #newId: () => string
  readonly #waiting = new Map<string, Waiting>()
  readonly #questions = new Map<string, PermissionRequest>()
  /** Prompts without an answer yet; one of an earlier daemon counts from its first update on. */
  readonly #running = new Set<string>()
  readonly #kept: string[] = []
  /** Why rules denied what they did, as long as the model does not know it. */
  readonly #reasons: string[] = []
  #conversation: string | null = null
  #model: string | null = null
  readonly #live: AcpLive
  #isStarter = false

  constructor(options: AcpOptions, send: Send, newId: () => string) {
    this.#options = options
    this.#live = new AcpLive(options.live)
    this.#send = send
    this.#newId = newId
  }

  async begin(plan: LaunchPlan): Promise<void> {
    this.#isStarter = true
    const hello = await this.#request(`rein:initialize:${this.#newId()}`, 'initialize', {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'rein', title: 'Rein', version },
    })
    const method = this.#options.authenticate(
      Array.isArray(hello.authMethods) ? hello.authMethods.filter(isObject).map(({ id }) => String(id)) : [],
    )
    if (method !== null) await this.#request(`rein:authenticate:${this.#newId()}`, 'authenticate', { methodId: method })
    const opening = plan.opening ?? { from: { kind: 'new' }, model: null, mode: null }
    const opened = await this.#open(plan, opening)
    for (const call of this.#options.configure(opening, opened))
      await this.#request(`rein:set:${this.#newId()}`, call.method, { sessionId: this.#session(), ...call.params })
  }

  async prompt(text: string): Promise<void> {
    if (this.#running.size > 0 && this.#options.whenBusy === 'keep') this.#kept.push(text)
    else await this.#prompt(text)
  }

  async interrupt(): Promise<void> {
    const sessionId = this.#session()
    await this.#say({ method: 'session/cancel', params: { sessionId } })
    for (const { rpcId } of this.#questions.values()) await this.#decide(rpcId, { outcome: 'cancelled' })
    this.#questions.clear()
  }

  /** The protocol has no word for a reason: a person's follows as a prompt, a rule's when the turn has ended, a policy's is not worth a turn. */
  async answer(question: Question, answer: Answer): Promise<void> {
    const asked = this.#questions.get(question.id)
    if (asked === undefined) throw new ReinError('nothing_to_answer', 'Nobody waits for this answer any more.')
    const option = chooseOption(asked.options, answer)
    this.#questions.delete(question.id)
    await this.#decide(
      asked.rpcId,
      option === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.id },
    )
    if (answer.kind === 'text' && findNamed(asked.options, answer.text) === undefined) await this.prompt(answer.text)
    if (answer.kind === 'deny' && answer.isToBeTold === true && answer.message !== null)
      this.#reasons.push(answer.message)
  }

  /** Prompts that were kept for the end of the turn go out now. */
  endTurn(): void {
    const running = [...this.#running]
    for (const id of running) this.#ended(id, {}, undefined)
  }

  receive(line: string): StreamEvent[] {
    const message = parseObject(line)
    if (message === null) return [activity]
    if (typeof message.method !== 'string') {
      const { id, result, error } = message
      const [, kind, ...rest] = String(id).split(':')
      if (kind === 'prompt') return this.#ended(String(id), asObject(result), error)
      const waiting = this.#waiting.get(String(id))
      this.#waiting.delete(String(id))
      if (error !== undefined) {
        waiting?.reject(new ReinError('failed', `${this.#options.title}: ${errorText(error)}`))
        return [activity]
      }
      const opened = asObject(result)
      const events = kind === 'open' ? this.#opened(opened, rest) : [activity]
      waiting?.resolve(opened)
      return events
    }
    const params = asObject(message.params)
    if (message.id !== undefined) {
      const request =
        message.method === 'session/request_permission'
          ? readPermission(message.id, params, this.#options.readTool)
          : null
      if (request !== null) {
        this.#questions.set(request.question.id, request)
        const evidence = { source: 'stream' as const, detail: `permission for ${request.question.tool}` }
        return [{ kind: 'asked', question: request.question, call: request.call, tool: request.tool, evidence }]
      }
      const error = { code: -32601, message: `Rein does not offer ${message.method}.` }
      // After an adoption, an old request cannot be told from a new one.
      if (this.#isStarter) void this.#say({ id: message.id, error }).catch(() => undefined)
      return [activity]
    }
    return message.method === 'session/update' ? this.#update(params) : [activity]
  }

  live(line: string): LiveEvent[] {
    const message = parseObject(line)
    if (message === null) return []
    if (message.method === undefined) {
      if (!String(message.id).startsWith('rein:prompt:')) return []
      return this.#live.ended(asObject(message.result), message.error === undefined ? null : errorText(message.error))
    }
    if (message.id !== undefined) return []
    const params = asObject(message.params)
    const update = asObject(params.update)
    return this.#isNews(params, update) ? this.#live.update(message, update, this.#model) : []
  }

  /** Rein's own server is in the settings of each CLI, for its terminal too. */
  async #open(plan: LaunchPlan, { from }: Opening): Promise<Json> {
    const params = { cwd: plan.cwd, mcpServers: [] }
    if (from.kind === 'new') return this.#request(`rein:open:new:${this.#newId()}`, 'session/new', params)
    const sessionId = from.conversation
    if (from.kind === 'fork')
      return this.#request(`rein:open:fork:${this.#newId()}`, 'session/fork', { ...params, sessionId })
    return this.#request(`rein:open:resume:${sessionId}`, this.#options.resume, { ...params, sessionId })
  }

  async #prompt(text: string): Promise<void> {
    const id = `rein:prompt:${this.#newId()}`
    const params = { sessionId: this.#session(), prompt: [{ type: 'text', text }] }
    this.#running.add(id)
    await this.#say({ id, method: 'session/prompt', params })
  }

  #session(): string {
    if (this.#conversation === null)
      throw new ReinError('not_running', `${this.#options.title} has not opened its conversation yet.`)
    return this.#conversation
  }

  #request(id: string, method: string, params: Json): Promise<Json> {
    const answered = new Promise<Json>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    return Promise.all([answered, this.#say({ id, method, params })]).then(([result]) => result)
  }

  #decide(id: unknown, outcome: Json): Promise<void> {
    return this.#say({ id, result: { outcome } })
  }

  #say(message: Json): Promise<void> {
    return this.#send(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  /** A resumed conversation keeps the id that was requested. */
  #opened(result: Json, [from, ...asked]: string[]): StreamEvent[] {
    const conversation = textOf(result.sessionId) ?? (from === 'resume' ? asked.join(':') : null)
    if (conversation === null) return [activity]
    this.#conversation = conversation
    // The CLIs name the model in one of two places.
    const known = isObject(result.models) ? textOf(result.models.currentModelId) : null
    const options = listObjects(result.configOptions)
    this.#model = known ?? textOf(options.find(({ id }) => id === 'model')?.currentValue)
    const idle = streamState('idle', 'session opened')
    return [{ kind: 'conversation', conversation, evidence: idle.evidence }, idle]
  }

  #ended(id: string, result: Json, error: unknown): StreamEvent[] {
    this.#running.delete(id)
    this.#running.delete(unknownPrompt)
    this.#questions.clear()
    // All reasons go in one prompt, because each prompt is a turn.
    const takeReasons = (): string | undefined => [...new Set(this.#reasons.splice(0))].join('\n\n') || undefined
    const next = this.#running.size === 0 ? (this.#kept.shift() ?? takeReasons()) : undefined
    if (next !== undefined) void this.#prompt(next).catch(() => undefined)
    if (this.#running.size > 0) return [streamState('working', 'next prompt')]
    if (error === undefined) return [streamState('idle', `prompt ended: ${String(result.stopReason)}`)]
    const loggedOut = loggedOutState(errorText(error))
    if (loggedOut !== null) return [loggedOut]
    const isLimit = /rate.?limit|quota|too many requests|\b429\b/i.test(errorText(error))
    return [streamState(isLimit ? 'limited' : 'idle', `prompt failed: ${errorText(error)}`)]
  }

  /** Updates before the conversation is open are its history. */
  #update(params: Json): StreamEvent[] {
    const update = asObject(params.update)
    if (!this.#isNews(params, update) || !turnUpdates.includes(update.sessionUpdate)) return [activity]
    if (this.#running.size === 0) this.#running.add(unknownPrompt)
    const working = streamState('working', String(update.sessionUpdate))
    if (update.sessionUpdate !== 'tool_call_update' || update.status === 'pending') return [working]
    const call = String(update.toolCallId)
    for (const [id, question] of this.#questions) if (question.call === call) this.#questions.delete(id)
    return [{ kind: 'settled', ids: [call] }, working]
  }

  /** Of the conversation that is open, and none of its history. */
  #isNews(params: Json, { sessionUpdate }: Json): boolean {
    if (this.#conversation === null || params.sessionId !== this.#conversation) return false
    return !turnUpdates.includes(sessionUpdate) || !this.#isStarter || this.#running.size > 0
  }
}

/** Stands for a prompt that an earlier daemon sent. */
const unknownPrompt = 'rein:prompt:earlier'

const errorText = (error: unknown): string => {
  if (!isObject(error)) return String(error)
  const details = isObject(error.data) ? (textOf(error.data.details) ?? textOf(error.data.message)) : textOf(error.data)
  return details === null ? String(error.message) : `${String(error.message)}: ${details}`
}
