import type { ConversationEntry } from '../../contract/conversation.ts'

/** By then a conversation is under way, and written in order. */
const beginning = 50
/** So many do not come early: then their parent is not in this file at all. */
const mostEarly = 20

/** Claude Code sometimes writes its first reply before the prompt that it replies to: at the beginning an entry waits for its parent. */
export class EntryOrder {
  readonly #known = new Set<string>()
  #early: ConversationEntry[] = []

  /** The entries that are next in the conversation, now that this one was read. */
  take(entry: ConversationEntry): ConversationEntry[] {
    if (this.#known.size >= beginning) return [...this.#early.splice(0), entry]
    if (!this.#isNext(entry)) return this.#wait(entry)
    const next = [entry]
    for (const one of next) {
      this.#known.add(one.id)
      next.push(...this.#early.filter(({ parent }) => parent === one.id))
      this.#early = this.#early.filter(({ parent }) => parent !== one.id)
    }
    return next
  }

  #isNext({ parent, link }: ConversationEntry): boolean {
    return link !== 'chain' || parent === null || this.#known.has(parent)
  }

  #wait(entry: ConversationEntry): ConversationEntry[] {
    this.#early.push(entry)
    if (this.#early.length < mostEarly) return []
    for (const { id } of this.#early) this.#known.add(id)
    return this.#early.splice(0)
  }
}
