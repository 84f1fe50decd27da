import { randomBytes, randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { notesIn, type TruthLine, writeTruth } from '../truth.ts'
import { acknowledge } from './acks.ts'
import { type HookAnswer, Hooks } from './hooks.ts'
import { Transcript } from './transcript.ts'

export interface StandInOptions {
  conversation: string
  isResumed: boolean
  plugin: string
  truthFile: string
  random: () => number
}

/** How often things go wrong, and how obedient the model is. */
const rates = { apiError: 0.02, interrupted: 0.02, lostContext: 0.02, compaction: 0.02, ack: 0.9, ackByCommand: 0.002 }
const maxSteps = 400

type Truth = TruthLine extends infer Line ? (Line extends TruthLine ? Omit<Line, 'at' | 'conversation'> : never) : never

/** Behaves like Claude Code as far as Rein can see it, and keeps account of what its model really got. */
export class StandIn {
  readonly #options: StandInOptions
  readonly #transcript: Transcript
  readonly #hooks: Hooks
  readonly #prompts: string[] = []
  readonly #toAck = new Set<string>()
  #isBusy = true
  #promptId = ''

  constructor(options: StandInOptions) {
    this.#options = options
    this.#transcript = new Transcript(options.conversation, process.cwd(), options.random)
    this.#hooks = new Hooks(options.plugin)
  }

  async start(): Promise<void> {
    this.#note({ kind: 'begin', holds: this.#options.isResumed ? this.#transcript.resume() : [] })
    await this.#hook('SessionStart', { source: this.#options.isResumed ? 'resume' : 'startup' })
    this.#isBusy = false
    await this.#work()
  }

  prompt(text: string): void {
    this.#prompts.push(text)
    void this.#work()
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    for (let text = this.#prompts.shift(); text !== undefined; text = this.#prompts.shift()) {
      this.#print({ type: 'system', subtype: 'init', session_id: this.#options.conversation })
      const how = await this.#turn(text)
      if (how === 'success' && this.#happens(rates.compaction)) await this.#compact()
      this.#print({ type: 'result', subtype: how, is_error: how !== 'success', session_id: this.#options.conversation })
    }
    this.#isBusy = false
  }

  /** One prompt and all that follows, up to the stop. */
  async #turn(text: string): Promise<string> {
    this.#promptId = randomUUID()
    this.#transcript.add({ type: 'user', promptId: this.#promptId, message: { role: 'user', content: text } })
    this.#takeIn('UserPromptSubmit', await this.#hook('UserPromptSubmit', { prompt: text }))
    let stepsLeft = 1 + Math.floor(this.#options.random() * 6)
    for (let step = 0; step < maxSteps; step += 1) {
      await delay(5 + this.#options.random() * 20)
      if (this.#happens(rates.apiError)) return this.#fail()
      if (this.#happens(rates.interrupted)) return this.#interrupt()
      if (stepsLeft > 0 || this.#toAck.size > 0) {
        stepsLeft -= 1
        if (!(await this.#useTools())) return this.#interrupt()
      } else if (!(await this.#stop())) return 'success'
    }
    return 'success'
  }

  /** A reply with one to three tool calls, their results, and the hook after them; false if a person broke it off there. */
  async #useTools(): Promise<boolean> {
    const acks = [...this.#toAck].filter(() => this.#happens(rates.ack))
    this.#toAck.clear()
    const message = messageId()
    const count = 1 + Math.floor(this.#options.random() * 3)
    const calls = Array.from({ length: count }, () => this.#reply(message, toolUse()))
    const denials = await Promise.all(calls.map(() => this.#hook('PreToolUse', aTool())))
    const acked = Promise.all(acks.map((note) => this.#ack(note)))
    calls.forEach((call, index) => this.#result(call, denials[index]?.denial ?? null))
    await acked
    const answer = await this.#hook('PostToolBatch', { tool_calls: calls.map(() => aTool()) })
    this.#transcript.addHookNote('PostToolBatch', answer.stdout)
    // The note has the text; the model never gets it, whether the turn is broken off here or goes on.
    const isLost = answer.context !== null && this.#happens(rates.lostContext)
    if (isLost && this.#happens(0.5)) return false
    if (!isLost) this.#takeIn('PostToolBatch', answer)
    this.#takeQueuedPrompts()
    return true
  }

  /** The last words of a turn; true if a hook keeps it going. */
  async #stop(): Promise<boolean> {
    this.#reply(messageId(), { type: 'text', text: 'done' })
    const answer = await this.#hook('Stop', { stop_hook_active: false, last_assistant_message: 'done' })
    this.#transcript.addHookNote('Stop', answer.stdout)
    this.#takeIn('Stop', answer)
    return answer.context !== null
  }

  async #compact(): Promise<void> {
    await this.#hook('PreCompact', { trigger: 'auto' })
    this.#note({ kind: 'forget' })
    this.#toAck.clear()
    this.#transcript.addBoundary()
    await this.#hook('SessionStart', { source: 'compact' })
    await this.#hook('PostCompact', { trigger: 'auto' })
  }

  async #fail(): Promise<string> {
    const content = [{ type: 'text', text: 'API Error: 500 overloaded' }]
    const message = { id: randomUUID(), type: 'message', role: 'assistant', model: '<synthetic>', content }
    this.#transcript.add({ type: 'assistant', message, error: 'server_error', isApiErrorMessage: true })
    await this.#hook('StopFailure', { error: 'server_error', last_assistant_message: 'API Error: 500 overloaded' })
    return 'success'
  }

  #interrupt(): string {
    const content = [{ type: 'text', text: '[Request interrupted by user]' }]
    this.#transcript.add({ type: 'user', promptId: this.#promptId, message: { role: 'user', content } })
    return 'error_during_execution'
  }

  /** What was asked while it worked goes to the model after the tools, without a prompt hook. */
  #takeQueuedPrompts(): void {
    for (const prompt of this.#prompts.splice(0))
      this.#transcript.add({
        type: 'attachment',
        attachment: { type: 'queued_command', prompt, commandMode: 'prompt' },
      })
  }

  #takeIn(event: string, { context }: HookAnswer): void {
    if (context === null) return
    this.#show(context)
    this.#transcript.addContext(event, context)
  }

  #show(text: string): void {
    const notes = notesIn(text)
    if (notes.length === 0) return
    this.#note({ kind: 'shown', notes })
    for (const note of notes) this.#toAck.add(note)
  }

  /** One line of a reply: from here on the model has had everything before it. */
  #reply(id: string, block: Record<string, unknown>): string {
    const message = { id, type: 'message', role: 'assistant', model: 'claude-opus-4-8', content: [block] }
    const entry = this.#transcript.add({ type: 'assistant', message, requestId: messageId() })
    this.#note({ kind: 'reply', entry })
    this.#print({ type: 'assistant', message })
    return entry
  }

  #result(call: string, denial: string | null): void {
    if (denial !== null) this.#show(denial)
    const result = { type: 'tool_result', tool_use_id: call, content: denial ?? 'ok', is_error: denial !== null }
    const message = { role: 'user', content: [result] }
    this.#transcript.add({ type: 'user', promptId: this.#promptId, message, sourceToolAssistantUUID: call }, call)
    this.#print({ type: 'user', message })
  }

  async #ack(note: string): Promise<void> {
    if (await acknowledge(note, this.#happens(rates.ackByCommand))) this.#note({ kind: 'acked', note })
  }

  #hook(event: string, fields: Record<string, unknown>): Promise<HookAnswer> {
    const where = { session_id: this.#options.conversation, transcript_path: this.#transcript.path, cwd: process.cwd() }
    return this.#hooks.run({ ...where, prompt_id: this.#promptId, hook_event_name: event, ...fields })
  }

  #note(line: Truth): void {
    const { truthFile, conversation } = this.#options
    writeTruth(truthFile, { at: Date.now(), conversation, ...line })
  }

  #print(message: Record<string, unknown>): void {
    writeSync(1, `${JSON.stringify(message)}\n`)
  }

  #happens(rate: number): boolean {
    return this.#options.random() < rate
  }
}

const messageId = (): string => `msg_01${randomBytes(11).toString('hex')}`
const aTool = () => ({ tool_name: 'Bash', tool_input: { command: 'true' }, tool_use_id: messageId() })
const toolUse = () => ({ type: 'tool_use', id: messageId(), name: 'Bash', input: { command: 'true' } })
