import { type Chat, chosenRoom, isOwn, unreadFrom } from './model.ts'
import { rowsInSight } from '../terminal/scroll.ts'
import { type Pane, scrollOf } from './sight.ts'

interface Ends {
  /** Posts of which the first row was in sight, or the last one; by pages there is no way past those between. */
  begun: Set<number>
  ended: Set<number>
}

/** Which unread posts were in sight, and so how far a room is read. */
export class Seen {
  readonly #rooms = new Map<string, Ends>()

  note(chat: Chat, pane: Pane): void {
    const { name, unread } = chosenRoom(chat) ?? { name: '', unread: 0 }
    if (unread === 0) return void this.#rooms.delete(name)
    const ends = this.#rooms.get(name) ?? { begun: new Set(), ended: new Set() }
    this.#rooms.set(name, ends)
    for (const { n, isFirst, below } of rowsInSight(scrollOf(chat, pane.columns), chat.bottom, pane.rows)) {
      if (isFirst) ends.begun.add(n)
      if (below === 0) ends.ended.add(n)
    }
  }

  /** The number of the last post with nothing before it that is unread and was not in sight; 0 if there is none. */
  upTo(chat: Chat): number {
    const from = unreadFrom(chat)
    const ends = this.#rooms.get(chat.chosen ?? '')
    if (from === null || ends === undefined) return 0
    const missed = chat.posts.find(
      (post) => post.n >= from && !isOwn(post) && !(ends.begun.has(post.n) && ends.ended.has(post.n)),
    )
    if (missed === undefined) return chat.posts.at(-1)?.n ?? 0
    return missed.n === from ? 0 : missed.n - 1
  }
}
