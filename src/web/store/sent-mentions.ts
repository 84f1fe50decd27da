import { signal } from '@preact/signals'
import type { Receipt } from '../../contract/directive.ts'
import type { PostedView } from '../../contract/routes/team.ts'

type Mentioned = PostedView['mentions'][number]
interface SentMention extends Mentioned {
  receipt: Receipt | null
  /** Nothing more is to come. */
  isOver: boolean
}

interface SentPost {
  room: string
  mentions: readonly SentMention[]
}

/** An end with an error says nothing of the mention. */
type Follow = (
  directive: string,
  onReceipt: (receipt: Receipt) => void,
  onEnd: (error: Error | null) => void,
) => () => void

const mostPosts = 50
/** A connection carries only so many streams, and a room is not all that a page follows. */
const mostFollowed = 32

/** The mentions of posts that were sent from here, by the id of the post, with how far each has come. */
export class SentMentions {
  readonly byPost = signal<ReadonlyMap<string, SentPost>>(new Map())
  readonly #follow: Follow
  readonly #stops = new Map<string, () => void>()
  #shown: string | null = null

  constructor(follow: Follow) {
    this.#follow = follow
  }

  add(room: string, { id, mentions }: Pick<PostedView, 'id' | 'mentions'>): void {
    if (mentions.length === 0) return
    const sent = mentions.map((mention) => ({ ...mention, receipt: null, isOver: mention.directive === null }))
    this.byPost.value = new Map([...[...this.byPost.value].slice(1 - mostPosts), [id, { room, mentions: sent }]])
    this.#followShown()
  }

  /** They are followed while a view shows their room, until the returned function is called. */
  show(room: string): () => void {
    this.#shown = room
    this.#followShown()
    return () => {
      if (this.#shown === room) this.#shown = null
      this.#followShown()
    }
  }

  #followShown(): void {
    const wanted = [...this.byPost.value.values()]
      .filter(({ room }) => room === this.#shown)
      .flatMap(({ mentions }) =>
        mentions.flatMap(({ directive, isOver }) => (directive === null || isOver ? [] : [directive])),
      )
      .slice(-mostFollowed)
    for (const [directive, stop] of this.#stops) {
      if (wanted.includes(directive)) continue
      stop()
      this.#stops.delete(directive)
    }
    for (const directive of wanted)
      if (!this.#stops.has(directive))
        this.#stops.set(
          directive,
          this.#follow(
            directive,
            (receipt) => this.#change(directive, { receipt }),
            (error) => {
              // It is followed again with the next look at the room: at once, it would be refused again and again.
              if (error === null) {
                this.#change(directive, { isOver: true })
                this.#followShown()
              } else this.#stops.delete(directive)
            },
          ),
        )
  }

  #change(directive: string, news: Partial<SentMention>): void {
    const changed = ({ room, mentions }: SentPost): SentPost => ({
      room,
      mentions: mentions.map((one) => (one.directive === directive ? { ...one, ...news } : one)),
    })
    this.byPost.value = new Map([...this.byPost.value].map(([post, sent]) => [post, changed(sent)]))
  }
}
