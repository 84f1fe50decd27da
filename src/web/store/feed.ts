import type { Directive, ReceiptState, ReceiptStep } from '../../contract/directive.ts'
import type { AnyRecord } from '../../contract/record.ts'
import { closedStates, type DirectiveRecord, isDirectiveRecord, readStep } from '../../contract/receipt-steps.ts'
import type { TurnBlock, TurnUsage } from '../../contract/turn.ts'
import { isOwnPrompt } from '../../contract/wake.ts'
import { type EventTone, tellEvent } from './feed-events.ts'

export interface SentDirective {
  directive: Omit<Directive, 'agent' | 'nonce'>
  state: ReceiptState
  steps: readonly ReceiptStep[]
  /** Where it stands if no entry proves it. */
  seq: number
}

export interface ToolResult {
  text: string
  isError: boolean
}

interface RowBase {
  key: string
  seq: number
  at: number
}

/** One row of a conversation as a person reads it. */
export type Row = RowBase &
  (
    | { kind: 'prompt'; entry: string; text: string; isOwn: boolean }
    | { kind: 'reply'; entry: string; blocks: readonly TurnBlock[] }
    | { kind: 'context'; entry: string; blocks: readonly TurnBlock[] }
    | { kind: 'ended'; reason: string; usage: TurnUsage | null }
    | { kind: 'event'; tone: EventTone; text: string }
    | { kind: 'directive'; id: string }
  )

export interface FeedView {
  rows: readonly Row[]
  /** Of directives that no entry proves yet: they stand at the end. */
  pending: readonly string[]
  directives: ReadonlyMap<string, SentDirective>
  /** The directives that an entry proves, by that entry. */
  proven: ReadonlyMap<string, readonly string[]>
  results: ReadonlyMap<string, ToolResult>
}

const fence = /<rein-(?:directive|message) id="/
const underWay: readonly ReceiptState[] = ['queued', 'held', 'offered']

/** Records of one agent, in the order of the log, made into rows. A record that comes twice counts once. */
export class Feed {
  readonly #records: AnyRecord[] = []
  readonly #rows: Row[] = []
  readonly #directives = new Map<string, SentDirective>()
  readonly #results = new Map<string, ToolResult>()
  readonly #entries = new Set<string>()

  get firstSeq(): number | null {
    return this.#records[0]?.seq ?? null
  }

  get count(): number {
    return this.#records.length
  }

  get lastSeq(): number | null {
    return this.#records.at(-1)?.seq ?? null
  }

  add(record: AnyRecord): void {
    if (record.seq <= (this.lastSeq ?? -1)) return
    this.#records.push(record)
    this.#addRow(record)
    if (isDirectiveRecord(record)) this.#addStep(record)
  }

  /** Some were told before its first record: those that are under way stand before all that it knows. */
  addOlder(directives: readonly SentDirective[]): void {
    const known = [...this.#directives]
    this.#directives.clear()
    for (const sent of directives) if (underWay.includes(sent.state)) this.#directives.set(sent.directive.id, sent)
    for (const [id, sent] of known) {
      this.#directives.delete(id)
      this.#directives.set(id, sent)
    }
  }

  /** With a page of older records before its own. */
  withOlder(older: readonly AnyRecord[]): Feed {
    return this.#rebuild([...older, ...this.#records])
  }

  /** Only its newest records. */
  newest(count: number): Feed {
    return this.#rebuild(this.#records.slice(-count))
  }

  /** What was told before these records, and is still under way or proven by them, stays known. */
  #rebuild(records: readonly AnyRecord[]): Feed {
    const built = new Feed()
    for (const record of records) built.add(record)
    for (const [id, sent] of this.#directives)
      if (!built.#directives.has(id) && (underWay.includes(sent.state) || sent.seq >= (built.firstSeq ?? 0)))
        built.#directives.set(id, sent)
    return built
  }

  view(): FeedView {
    const proven = new Map<string, string[]>()
    const alone: Row[] = []
    const pending: string[] = []
    for (const [id, sent] of this.#directives) {
      const entry = this.#proofOf(sent)
      if (entry !== undefined) proven.set(entry, [...(proven.get(entry) ?? []), id])
      else if (underWay.includes(sent.state)) pending.push(id)
      else alone.push({ kind: 'directive', key: `d:${id}`, id, seq: sent.seq, at: sent.directive.acceptedAt })
    }
    const rows = merge(
      this.#rows,
      alone.toSorted((a, b) => a.seq - b.seq),
    )
    return { rows, pending, directives: this.#directives, proven, results: this.#results }
  }

  /** The newest entry that its evidence names since it was queued, at first or again: what was before that is no proof. */
  #proofOf({ state, steps }: SentDirective): string | undefined {
    if (underWay.includes(state)) return undefined
    const queuedAt = steps.findLastIndex((step) => step.state === 'queued')
    for (const { evidence } of steps.slice(queuedAt + 1).toReversed())
      for (const entry of [evidence?.entry, evidence?.descendant])
        if (entry !== undefined && this.#entries.has(entry)) return entry
    return undefined
  }

  #addRow(record: AnyRecord): void {
    const { seq, at } = record
    if (record.type === 'turn.started') {
      const { entry, prompt } = record.body
      const isOwn = isOwnPrompt(prompt) || fence.test(prompt)
      this.#entries.add(entry)
      this.#rows.push({ kind: 'prompt', key: `p:${entry}:${seq}`, seq, at, entry, text: prompt, isOwn })
    } else if (record.type === 'turn.entry') this.#addEntry(record)
    else if (record.type === 'turn.ended') {
      const { reason, usage } = record.body
      this.#rows.push({ kind: 'ended', key: `t:${seq}`, seq, at, reason, usage })
    } else {
      const event = tellEvent(record)
      if (event !== null) this.#rows.push({ kind: 'event', key: `e:${seq}`, seq, at, ...event })
    }
  }

  #addEntry({ seq, at, body: { entry, role, blocks } }: Extract<AnyRecord, { type: 'turn.entry' }>): void {
    this.#entries.add(entry)
    for (const block of blocks)
      if (block.type === 'tool_result') this.#results.set(block.id, { text: block.text, isError: block.isError })
    const shown = blocks.filter(({ type }) => type !== 'tool_result')
    // An entry of results alone stands there for the directives that it may prove.
    const kind = role === 'assistant' ? 'reply' : 'context'
    this.#rows.push({ kind, key: `r:${entry}:${seq}`, seq, at, entry, blocks: shown })
  }

  #addStep(record: DirectiveRecord): void {
    if (record.type === 'directive.accepted') {
      const { directive } = record.body
      const steps: ReceiptStep[] = [{ state: 'queued', at: directive.acceptedAt }]
      this.#directives.set(directive.id, { directive, state: 'queued', steps, seq: record.seq })
      return
    }
    const sent = this.#directives.get(record.cause ?? '')
    if (sent === undefined || closedStates.includes(sent.state)) return
    const step = readStep(record)
    // What was read beside the records may be ahead of them.
    if (sent.steps.some(({ state, at }) => state === step.state && at === step.at)) return
    this.#directives.set(sent.directive.id, {
      ...sent,
      state: step.state,
      steps: [...sent.steps, step],
      seq: record.seq,
    })
  }
}

/** Two lists by their place in the log. */
const merge = (rows: readonly Row[], more: readonly Row[]): Row[] => {
  if (more.length === 0) return [...rows]
  const merged: Row[] = []
  let at = 0
  for (const row of rows) {
    for (; at < more.length && (more[at]?.seq ?? 0) < row.seq; at += 1) merged.push(...more.slice(at, at + 1))
    merged.push(row)
  }
  return [...merged, ...more.slice(at)]
}

/** Of a conversation of which nothing has come yet. */
export const emptyView: FeedView = new Feed().view()
