import type { ConversationEntry } from '../contract/conversation.ts'

/** What is kept of an entry: enough to walk, without its text. */
interface Node {
  id: string
  order: number
  parent: string | null
  kind: ConversationEntry['kind']
  isAttached: boolean
  at: number
  message: string | null
  calledBy: string | null
  isReply: boolean
}

/**
 * A conversation as a graph: what stood before the model when it wrote an entry.
 * Parallel tool calls make it a DAG, notes are chained late, and compaction cuts what a parent link still reaches.
 */
export class ConversationGraph {
  readonly #nodes = new Map<string, Node>()
  readonly #ofMessage = new Map<string, Node[]>()
  readonly #resultsOf = new Map<string, Node[]>()
  readonly #attachedTo = new Map<string, Node[]>()
  readonly #replies: Node[] = []
  readonly #compactions: number[] = []
  #leaf: Node | null = null

  /** The newest entry of the conversation; null while it is empty. */
  get leaf(): string | null {
    return this.#leaf?.id ?? null
  }

  /** An entry that is known already (they are repeated around compactions) changes nothing. */
  add(entry: ConversationEntry): void {
    if (this.#nodes.has(entry.id)) return
    const { id, kind, at, message, calledBy, isReply } = entry
    const order = this.#nodes.size + 1
    const isAttached = entry.raw.type === 'attachment'
    const node: Node = { id, kind, isAttached, at, message, calledBy, isReply, order, parent: this.#parentOf(entry) }
    this.#nodes.set(id, node)
    this.#index(node)
    this.#leaf = node
  }

  /** Replies of the model that were written after `since`, oldest first, as far as they are in the present context. */
  repliesAfter(since: number): string[] {
    const present = this.present()
    return this.#replies.filter((node) => node.at > since && present.has(node.id)).map((node) => node.id)
  }

  /** Everything that is in the model's context now. */
  present(): Set<string> {
    return this.#leaf === null ? new Set() : this.#behind(this.#leaf)
  }

  /** The first reply that has all of `entries` behind it. */
  firstReplyBehind(entries: readonly string[]): string | null {
    const newest = Math.max(...entries.map((id) => this.#nodes.get(id)?.order ?? Number.POSITIVE_INFINITY))
    for (const reply of this.#replies) {
      if (reply.order <= newest) continue
      const behind = this.#behind(reply)
      if (entries.every((id) => behind.has(id))) return reply.id
    }
    return null
  }

  /** A note (hook summary and the like) is chained to where the CLI was when it began: it belongs at the end. */
  #parentOf(entry: ConversationEntry): string | null {
    const isNote = entry.raw.type === 'system' && entry.kind !== 'compaction'
    if (!isNote || this.#leaf === null || entry.parent === null) return entry.parent
    return this.#isUpFrom(this.#leaf, entry.parent) ? this.#leaf.id : entry.parent
  }

  #isUpFrom(start: Node, id: string): boolean {
    const floor = this.#nodes.get(id)?.order ?? Number.POSITIVE_INFINITY
    let node: Node | undefined = start
    while (node !== undefined && node.order > floor)
      node = node.parent === null ? undefined : this.#nodes.get(node.parent)
    return node?.id === id
  }

  #index(node: Node): void {
    if (node.message !== null) push(this.#ofMessage, node.message, node)
    if (node.calledBy !== null) push(this.#resultsOf, node.calledBy, node)
    if (node.isAttached && node.parent !== null) push(this.#attachedTo, node.parent, node)
    if (node.isReply) this.#replies.push(node)
    if (node.kind === 'compaction') this.#compactions.push(node.order)
  }

  /** The entry itself and all that was in context with it, back to the compaction before it. */
  #behind(start: Node): Set<string> {
    const floor = this.#compactions.findLast((order) => order <= start.order) ?? 0
    const reached = new Set<string>()
    const todo: (Node | undefined)[] = [start]
    while (todo.length > 0) {
      const node = todo.pop()
      if (node === undefined || node.order < floor || node.order > start.order || reached.has(node.id)) continue
      reached.add(node.id)
      todo.push(...this.#together(node))
    }
    return reached
  }

  /** What goes to the model whenever this entry does: its parent, its reply's other lines, their results and context. */
  #together(node: Node): (Node | undefined)[] {
    return [
      node.parent === null ? undefined : this.#nodes.get(node.parent),
      ...(node.message === null ? [] : (this.#ofMessage.get(node.message) ?? [])),
      ...(node.kind === 'assistant' ? (this.#resultsOf.get(node.id) ?? []) : []),
      ...(node.kind === 'tool_result' || node.isAttached ? (this.#attachedTo.get(node.id) ?? []) : []),
    ]
  }
}

const push = (map: Map<string, Node[]>, key: string, node: Node): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [node])
  else list.push(node)
}
