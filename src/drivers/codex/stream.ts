import { randomUUID } from 'node:crypto'
import type { Question } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Answer, LaunchPlan } from '../../contract/host.ts'
import type { LiveEvent } from '../../contract/live.ts'
import { isObject, parseObject, textOf } from '../../base/util/json.ts'
import { version } from '../../base/util/version.ts'
import type { Send, StreamEvent, StreamSession } from '../contract.ts'
import { asObject, type Json } from '../json.ts'
import { activity, loggedOutState, streamState } from '../stream-events.ts'
import { type Asked, readQuestion, encodeAnswer } from './approval.ts'
import { findLimit, findReset } from './limit.ts'
import { CodexLive } from './live.ts'

interface Waiting {
  resolve(result: Json): void
  reject(cause: Error): void
}

/** One process of `codex app-server`: JSON-RPC, one message a line. */
export const stream = (send: Send, newId: () => string = randomUUID, now: () => number = Date.now): StreamSession =>
  new AppServerSession(send, newId, now)

class AppServerSession implements StreamSession {
  readonly #send: Send
  readonly #newId: () => string
  readonly #now: () => number
  readonly #waiting = new Map<string, Waiting>()
  readonly #asked = new Map<string, Asked>()
  /** Of files, by the item that is about to make them, in this turn. */
  readonly #changes = new Map<string, unknown>()
  readonly #live = new CodexLive()
  #thread: string | null = null
  #model: string | null = null
  #turn: string | null = null
  #isStarter = false
  #resetsAt: number | null = null

  constructor(send: Send, newId: () => string, now: () => number) {
    this.#send = send
    this.#newId = newId
    this.#now = now
  }

  async begin({ cwd, opening }: LaunchPlan): Promise<void> {
    this.#isStarter = true
    const clientInfo = { name: 'rein', title: 'Rein', version }
    // Questions of the model come to clients that know experimental messages.
    const capabilities = { experimentalApi: true, requestAttestation: false }
    await this.#request('initialize', 'initialize', { clientInfo, capabilities })
    await this.#say({ method: 'initialized' })
    if (opening?.skills !== undefined)
      await this.#request('skills', 'skills/extraRoots/set', { extraRoots: [opening.skills] })
    const from = opening?.from ?? { kind: 'new' }
    // Never with a sandbox: given one, Codex records for good that the directory is trusted.
    const about = {
      cwd,
      ...(opening?.instructions === undefined ? {} : { developerInstructions: opening.instructions }),
    }
    if (from.kind === 'new') await this.#request('open', 'thread/start', about)
    else
      await this.#request('open', `thread/${from.kind}`, { threadId: from.conversation, ...about, excludeTurns: true })
  }

  /** In a running turn it is input for that turn, which Codex shows the model after its current tools. */
  async prompt(text: string): Promise<void> {
    const params = this.#input(text)
    await this.#say({ id: `rein:prompt:${this.#newId()}`, method: 'turn/start', params })
  }

  #input(text: string): Json {
    return { threadId: this.#threadId(), input: [{ type: 'text', text, text_elements: [] }] }
  }

  async interrupt(): Promise<void> {
    if (this.#turn === null) return
    const params = { threadId: this.#threadId(), turnId: this.#turn }
    await this.#say({ id: `rein:interrupt:${this.#newId()}`, method: 'turn/interrupt', params })
  }

  /** The protocol has no word for a reason: it is input for the turn, and first, so that the model gets both at once. */
  async answer(question: Question, answer: Answer): Promise<void> {
    const asked = this.#asked.get(question.id)
    if (asked === undefined) throw new ReinError('nothing_to_answer', 'Nobody waits for this answer any more.')
    this.#asked.delete(question.id)
    const { result, words } = encodeAnswer(asked, answer)
    if (words !== null)
      await this.#request('steer', 'turn/steer', { ...this.#input(words), expectedTurnId: this.#turn }).catch(
        () => undefined,
      )
    await this.#say({ id: asked.rpcId, result })
  }

  endTurn(): void {
    this.#completed({})
  }

  receive(line: string): StreamEvent[] {
    const message = parseObject(line)
    if (message === null) return [activity]
    const method = textOf(message.method)
    if (method === null) {
      const { id, result, error } = message
      const waiting = this.#waiting.get(String(id))
      this.#waiting.delete(String(id))
      if (error !== undefined) {
        waiting?.reject(
          new ReinError('failed', `Codex: ${isObject(error) ? String(error.message) : JSON.stringify(error)}`),
        )
        return [activity]
      }
      const events = String(id).startsWith('rein:open:') ? this.#opened(asObject(result)) : []
      waiting?.resolve(asObject(result))
      return events.length === 0 ? [activity] : events
    }
    const params = asObject(message.params)
    return message.id === undefined ? this.#notified(method, params) : this.#requested(method, message.id, params)
  }

  live(line: string): LiveEvent[] {
    const message = parseObject(line)
    return message === null ? [] : this.#live.read(message, this.#thread, this.#model)
  }

  #threadId(): string {
    if (this.#thread === null) throw new ReinError('not_running', 'Codex has not opened its conversation yet.')
    return this.#thread
  }

  async #request(kind: string, method: string, params: Json): Promise<void> {
    const id = `rein:${kind}:${this.#newId()}`
    const answered = new Promise<Json>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    await Promise.all([answered, this.#say({ id, method, params })])
  }

  #say(message: Json): Promise<void> {
    return this.#send(`${JSON.stringify(message)}\n`)
  }

  #opened({ thread, model }: Json): StreamEvent[] {
    const conversation = isObject(thread) ? textOf(thread.id) : null
    if (conversation === null) return []
    this.#thread = conversation
    this.#model = textOf(model)
    const idle = streamState('idle', 'thread opened')
    return [{ kind: 'conversation', conversation, evidence: idle.evidence }, idle]
  }

  /** Sub-agents have threads of their own in the same process. */
  #notified(method: string, params: Json): StreamEvent[] {
    if (method === 'serverRequest/resolved') {
      this.#asked.delete(String(params.requestId))
      return [{ kind: 'settled', ids: [String(params.requestId)] }]
    }
    if (method === 'account/rateLimits/updated') this.#resetsAt = findReset(params.rateLimits)
    if (params.threadId !== this.#thread) return [activity]
    if (method === 'turn/completed') return this.#completed(asObject(params.turn))
    if (method === 'turn/started') this.#turn = isObject(params.turn) ? textOf(params.turn.id) : null
    if (method === 'item/started' && isObject(params.item) && params.item.type === 'fileChange')
      this.#changes.set(String(params.item.id), params.item.changes)
    const isWork = method === 'turn/started' || method === 'item/started' || method === 'item/completed'
    return this.#turn !== null && isWork ? [streamState('working', method)] : [activity]
  }

  #completed({ status, error }: Json): StreamEvent[] {
    this.#turn = null
    this.#changes.clear()
    if (status !== 'failed') return [streamState('idle', `turn ${String(status)}`)]
    const detail = `turn failed: ${isObject(error) ? String(error.message) : ''}`
    const loggedOut = loggedOutState(detail)
    if (loggedOut !== null) return [loggedOut]
    const limit = findLimit(error, this.#now(), this.#resetsAt)
    return [limit === null ? streamState('idle', detail) : { ...streamState('limited', detail), until: limit.until }]
  }

  #requested(method: string, rpcId: unknown, params: Json): StreamEvent[] {
    const asked = readQuestion(method, rpcId, params, this.#changes.get(String(params.itemId)))
    if (asked !== null) {
      this.#asked.set(asked.question.id, asked)
      const evidence = { source: 'stream' as const, detail: method }
      return [{ kind: 'asked', question: asked.question, call: asked.call, evidence }]
    }
    const error = { code: -32601, message: `Rein does not offer ${method}.` }
    // After an adoption, an old request cannot be told from a new one.
    if (this.#isStarter) void this.#say({ id: rpcId, error }).catch(() => undefined)
    return [activity]
  }
}
