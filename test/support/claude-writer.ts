/** Writes transcripts as Claude Code does when it works: parallel calls, context of hooks, notes, compactions, and going back. */
type Json = Record<string, unknown>

export interface Step {
  /** How many calls the reply makes; none ends the turn. */
  calls: number
  /** The results come in this order. */
  order: number
  hasContext: boolean
  /** Each result follows its call at once, before the reply is complete. */
  isStreamed: boolean
}

export interface Move {
  steps: Step[]
  /** Before the turn: everything is summed up, the last message kept or not, or the conversation goes back. */
  before: 'nothing' | 'compact' | 'compact and keep' | { back: number }
  hasNote: boolean
  hasProgress: boolean
  isRepeated: boolean
}

export interface WrittenTurn {
  prompt: string
  /** The last entry of the turn. */
  leaf: string
  /** What the conversation is then, whatever was summed up of it: all that was written but notes and progress. */
  live: string[]
  /** What the model has of it. */
  context: string[]
}

export class ClaudeWriter {
  readonly lines: string[] = []
  readonly turns: WrittenTurn[] = []
  #live: string[] = []
  #context: string[] = []
  /** What the next line hangs on. */
  #tip: string | null = null
  #count = 0
  /** Turns before this one can no longer be gone back to. */
  #floor = 0

  play(move: Move): void {
    this.#prepare(move)
    const prompt = this.#say({ type: 'user', message: { role: 'user', content: `prompt ${this.turns.length}` } })
    if (move.steps[0]?.hasContext === true) this.#attach()
    for (const step of move.steps) this.#step(step)
    const beforeReply = this.#tip
    this.#reply([{ type: 'text', text: `reply ${this.turns.length}` }])
    const leaf = move.hasNote ? this.#note(beforeReply) : String(this.#tip)
    if (move.hasProgress) this.#write({ type: 'progress', data: {}, ...this.#place(prompt) })
    if (move.isRepeated) this.lines.push(this.lines.at(-1) ?? '')
    this.turns.push({ prompt, leaf, live: [...this.#live], context: [...this.#context] })
  }

  /** A line that is no entry. */
  aside(value: Json): void {
    this.lines.push(JSON.stringify({ ...value, sessionId: 'source' }))
  }

  #prepare({ before }: Move): void {
    this.aside({ type: 'queue-operation', operation: 'enqueue', content: 'a prompt' })
    if (this.turns.length === 0) return
    if (before === 'compact' || before === 'compact and keep') return this.#compact(before === 'compact and keep')
    const to = before === 'nothing' ? undefined : this.turns.slice(this.#floor).at(-before.back)
    if (to === undefined) return
    this.#live = [...to.live]
    this.#context = [...to.context]
    this.#tip = to.live.at(-1) ?? null
  }

  #compact(keepsLast: boolean): void {
    const last = String(this.#live.at(-1))
    const boundary = this.#id()
    const summary = this.#id()
    const segment = { headUuid: last, tailUuid: last, anchorUuid: summary }
    const compactMetadata = keepsLast ? { preservedSegment: segment, preservedMessages: { uuids: [last] } } : {}
    const place = { ...this.#place(null), logicalParentUuid: last }
    this.#write({ ...place, uuid: boundary, type: 'system', subtype: 'compact_boundary', compactMetadata })
    const message = { role: 'user', content: 'Everything so far.' }
    this.#write({ ...this.#place(boundary), uuid: summary, type: 'user', message, isCompactSummary: true })
    this.#live.push(boundary, summary)
    this.#context = [boundary, summary, ...(keepsLast ? [last] : [])]
    this.#tip = keepsLast ? last : summary
    this.#floor = this.turns.length
  }

  #step({ calls, order, hasContext, isStreamed }: Step): void {
    if (calls === 0) return
    const message = `msg_${this.#count}`
    const uses = Array.from({ length: calls }, (_, index) => ({
      type: 'tool_use',
      id: `${message}_${index}`,
      name: 'Bash',
      input: {},
    }))
    const lines = uses.map((use) => {
      const entry = this.#reply([use], message)
      if (isStreamed) this.#result(use.id, entry, hasContext)
      return { use, entry }
    })
    if (isStreamed) return
    const turned = order % calls
    for (const { use, entry } of [...lines.slice(turned), ...lines.slice(0, turned)])
      this.#result(use.id, entry, hasContext)
  }

  #reply(content: Json[], id = `msg_${this.#count}`): string {
    return this.#say({ type: 'assistant', message: { id, model: 'm', role: 'assistant', content } })
  }

  #result(call: string, entry: string, hasContext: boolean): void {
    const message = { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: 'ok' }] }
    this.#tip = entry
    this.#say({ type: 'user', message, sourceToolAssistantUUID: entry })
    if (hasContext) this.#attach()
  }

  #attach(): void {
    this.#say({
      type: 'attachment',
      attachment: { type: 'hook_additional_context', content: ['mind this'], hookEvent: 'X' },
    })
  }

  /** Chained late, to where the CLI was when its hooks began; what comes next hangs on it, but the model never gets it. */
  #note(parent: string | null): string {
    const uuid = this.#id()
    this.#write({ ...this.#place(parent), uuid, type: 'system', subtype: 'stop_hook_summary' })
    this.#tip = uuid
    return uuid
  }

  #say(value: Json): string {
    const uuid = this.#id()
    this.#write({ ...this.#place(this.#tip), ...value, uuid })
    this.#live.push(uuid)
    this.#context.push(uuid)
    this.#tip = uuid
    return uuid
  }

  #place(parentUuid: string | null): Json {
    return { parentUuid, isSidechain: false, uuid: this.#id(), sessionId: 'source' }
  }

  #write(value: Json): void {
    const timestamp = new Date(1_800_000_000_000 + this.#count * 10).toISOString()
    this.lines.push(JSON.stringify({ ...value, timestamp }))
  }

  #id(): string {
    this.#count += 1
    return `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}`
  }
}
