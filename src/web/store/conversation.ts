import { signal } from '@preact/signals'
import type { LiveEvent } from '../../contract/live.ts'
import type { AnyRecord } from '../../contract/record.ts'
import type { FeedLine, FeedPage } from '../../contract/routes/feed.ts'
import { Feed, type FeedView, type SentDirective } from './feed.ts'
import { addLive, dropWritten, type LivePiece, type LiveText, piecesOf, tornLive } from './live-text.ts'

interface ConversationPorts {
  readPage(before: number): Promise<FeedPage>
  /** The newest directives, whether their records are here or not. */
  readDirectives(): Promise<SentDirective[]>
  after(ms: number, act: () => void): () => void
  /** What was known could not be read again. */
  onFailure(cause: unknown): void
}

/** Lines that come together are shown together. */
const showMs = 16
/** A page that stays open for days keeps so many records beside those that its reader has asked for. */
export const mostRecords = 4_000

/** One agent's conversation as far as it is known: its newest part, older parts as they are asked for, and what it says now. */
export class Conversation {
  /** Null before the first line. */
  readonly view = signal<FeedView | null>(null)
  readonly live = signal<readonly LivePiece[]>([])
  /** Nothing older is kept. */
  readonly isWhole = signal(false)
  readonly #ports: ConversationPorts
  #feed = new Feed()
  #live: LiveText = tornLive
  /** Up to where all is known; null: nothing is. */
  #position: number | null = null
  /** The feed for which an older page is on its way. */
  #paging: Feed | null = null
  #asked = 0
  /** How often the list was begun anew. */
  #beginnings = 0
  #cancelShow: (() => void) | null = null

  constructor(ports: ConversationPorts) {
    this.#ports = ports
  }

  /** Where the feed goes on after a break. */
  get resume(): { after?: number } {
    return this.#position === null ? {} : { after: this.#position }
  }

  onLine(line: FeedLine): void {
    if ('record' in line) this.#addRecord(line.record)
    else this.#onPosition(line)
    this.#show()
  }

  onLive(event: LiveEvent): void {
    this.#setLive(addLive(this.#live, event))
  }

  /** Of what it said meanwhile, nothing is known. */
  onLiveOpened(): void {
    this.#setLive(tornLive)
  }

  async loadOlder(): Promise<void> {
    const feed = this.#feed
    const before = feed.firstSeq ?? (this.#position === null ? null : this.#position + 1)
    if (this.#paging === feed || this.isWhole.value || before === null) return
    this.#paging = feed
    try {
      const { records, isFirst } = await this.#ports.readPage(before)
      // It was begun anew: this page does not join what is there now.
      if (this.#feed !== feed) return
      this.#feed = feed.withOlder(records)
      this.#asked += records.length
      this.isWhole.value = isFirst || records.length === 0
    } finally {
      if (this.#paging === feed) this.#paging = null
    }
    this.#show()
  }

  close(): void {
    this.#cancelShow?.()
  }

  #addRecord(record: AnyRecord): void {
    this.#position = record.seq
    this.#feed.add(record)
    if (this.#feed.count > mostRecords + this.#asked) {
      this.#feed = this.#feed.newest(mostRecords / 2)
      this.#asked = 0
      this.isWhole.value = false
    }
    if (record.type === 'turn.entry' && record.body.role === 'assistant')
      this.#setLive(dropWritten(this.#live, record.body.blocks))
    if (record.type === 'turn.ended' && this.#live.blocks.length > 0) this.#setLive(tornLive)
  }

  #onPosition({ at, position }: Extract<FeedLine, { at: unknown }>): void {
    this.#position = position
    if (at === 'resumed') return
    // What was known may not be all up to here: the list begins anew, and older parts are fetched again.
    this.#feed = new Feed()
    this.#asked = 0
    this.isWhole.value = false
    const tellFailure = (cause: unknown): void => this.#ports.onFailure(cause)
    if (at === 'gap') this.loadOlder().catch(tellFailure)
    this.#addOpen().catch(tellFailure)
  }

  /** What was told long ago and still waits has no record here. */
  async #addOpen(): Promise<void> {
    this.#beginnings += 1
    const beginning = this.#beginnings
    const directives = await this.#ports.readDirectives()
    if (beginning !== this.#beginnings) return
    this.#feed.addOlder(directives)
    this.#show()
  }

  #setLive(live: LiveText): void {
    const before = this.live.value
    const after = piecesOf(live)
    this.#live = live
    if (after.length !== before.length || after.some((piece, at) => piece !== before[at])) this.live.value = after
  }

  #show(): void {
    this.#cancelShow ??= this.#ports.after(showMs, () => {
      this.#cancelShow = null
      // What was known is shown until what there is now has come.
      if (this.#feed.count > 0 || this.#paging === null) this.view.value = this.#feed.view()
    })
  }
}
