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

interface Reply {
  node: Node
  /** When the newest reply up to this one was written: clocks may jump back. */
  newestAt: number
}

/** The oldest and the newest that a walk back may come to, by their order. */
interface Span {
  floor: number
  ceiling: number
}

/** A step of the walk back: up a parent link, or to what went to the model beside the chain. */
interface Step {
  node: Node | undefined
  isBeside: boolean
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
  readonly #replies: Reply[] = []
  readonly #compactions: number[] = []
  /** Progress lines and what they hang on. */
  readonly #passing = new Map<string, string | null>()
  #leaf: Node | null = null
  #present: Set<string> | null = null

  /** The newest entry of the conversation; null while it is empty. */
  get leaf(): string | null {
    return this.#leaf?.id ?? null
  }

  /** An entry that is known already (they are repeated around compactions) changes nothing. */
  add(entry: ConversationEntry): void {
    if (this.#nodes.has(entry.id)) return
    if (entry.link === 'progress') return void this.#passing.set(entry.id, this.#anchor(entry.parent))
    const { id, kind, at, message, calledBy, isReply } = entry
    const order = this.#nodes.size + 1
    const isAttached = entry.link === 'attachment'
    const node: Node = { id, kind, isAttached, at, message, calledBy, isReply, order, parent: this.#parentOf(entry) }
    this.#nodes.set(id, node)

    if (node.message !== null) push(this.#ofMessage, node.message, node)
    if (node.calledBy !== null) push(this.#resultsOf, node.calledBy, node)
    if (node.isAttached && node.parent !== null) push(this.#attachedTo, node.parent, node)
    // The other lines of a reply may follow results of its first: the model had written it all without them.
    if (node.isReply && (node.message === null || this.#ofMessage.get(node.message)?.[0] === node))
      this.#replies.push({ node, newestAt: Math.max(node.at, this.#replies.at(-1)?.newestAt ?? 0) })
    if (node.kind === 'compaction') this.#compactions.push(node.order)

    // What hangs on the leaf has all that is present behind it: only its own side has to be walked.

    const isNext = node.parent === this.leaf && node.kind !== 'compaction'
    this.#present = this.#present !== null && isNext ? this.#behind(node, this.#present) : null

    this.#leaf = node
  }

  /** Replies of the model that were written after `since`, oldest first, as far as they are in the present context. */
  repliesAfter(since: number): string[] {
    const present = this.present()
    const first = this.#replies.findLastIndex(({ newestAt }) => newestAt <= since) + 1
    const later = this.#replies.slice(first).map(({ node }) => node)
    return later.filter(({ at, id }) => at > since && present.has(id)).map(({ id }) => id)
  }

  /** Everything that is in the model's context now. */
  present(): ReadonlySet<string> {
    this.#present ??= this.#leaf === null ? new Set() : this.#behind(this.#leaf)
    return this.#present
  }

  /** The first reply that has all of `entries` behind it. */
  firstReplyBehind(entries: readonly string[]): string | null {
    const newest = Math.max(...entries.map((id) => this.#nodes.get(id)?.order ?? Number.POSITIVE_INFINITY))
    const first = this.#replies.findLastIndex(({ node }) => node.order <= newest) + 1
    const reply = this.#replies.slice(first).find(({ node }) => {
      const missing = new Set(entries)
      this.#behind(node, new Set(), (id) => missing.delete(id) && missing.size === 0)
      return missing.size === 0
    })
    return reply?.node.id ?? null
  }

  /** Everything that led to these entries, also what compactions have taken out of the context since. */
  lineage(ids: readonly string[]): Set<string> {
    const starts = ids.map((id) => this.#nodes.get(id)).filter((node) => node !== undefined)
    const ceiling = starts.reduce((newest, { order }) => Math.max(newest, order), 0)
    const reached = new Set<string>()
    for (const start of starts) this.#walk(start, { floor: 0, ceiling }, reached)
    return reached
  }

  /** A note (hook summary and the like) is chained to where the CLI was when it began: it belongs at the end. */
  #parentOf(entry: ConversationEntry): string | null {
    const parent = this.#anchor(entry.parent)
    if (entry.link !== 'note' || this.#leaf === null) return parent
    const isElsewhere = parent !== null && this.#nodes.has(parent) && !this.#isUpFrom(this.#leaf, parent)
    return isElsewhere ? parent : this.#leaf.id
  }

  /** Progress is written late, and never goes to the model: what hangs on it hangs on what it hangs on. */
  #anchor(parent: string | null): string | null {
    const passed = parent === null ? null : this.#passing.get(parent)
    return passed === undefined ? parent : passed
  }

  #isUpFrom(start: Node, id: string): boolean {
    const floor = this.#nodes.get(id)?.order ?? Number.POSITIVE_INFINITY
    // A damaged file may chain entries in a circle.
    const passed = new Set<Node>()
    let node: Node | undefined = start
    while (node !== undefined && node.order > floor && !passed.has(node)) {
      passed.add(node)
      node = node.parent === null ? undefined : this.#nodes.get(node.parent)
    }
    return node?.id === id
  }

  /** The entry itself and all that was in context with it, back to the compaction before it. */
  #behind(start: Node, reached = new Set<string>(), isEnough: (id: string) => boolean = () => false): Set<string> {
    const floor = this.#compactions.findLast((order) => order <= start.order) ?? 0
    return this.#walk(start, { floor, ceiling: start.order }, reached, isEnough)
  }

  /** The parents come first: what is on the chain is not beside it. */
  #walk(
    start: Node,
    { floor, ceiling }: Span,
    reached: Set<string>,
    isEnough: (id: string) => boolean = () => false,
  ): Set<string> {
    const todo: Step[] = [{ node: start, isBeside: false }]
    for (let step = todo.pop(); step !== undefined; step = todo.pop()) {
      const { node, isBeside } = step
      if (node === undefined || node.order < floor || node.order > ceiling || reached.has(node.id)) continue
      reached.add(node.id)
      if (isEnough(node.id)) break
      todo.push(...this.#beside(node, isBeside).map((one) => ({ node: one, isBeside: true })))
      if (node.parent !== null) todo.push({ node: this.#nodes.get(node.parent), isBeside: false })
    }
    return reached
  }

  /**
   * What goes to the model with this entry though no parent link says so: its reply's other lines, their results, and
   * the context of those. What hangs on an entry of the chain itself is on the chain too, or was left behind by a rewind.
   */
  #beside(node: Node, isBeside: boolean): Node[] {
    return [
      ...(node.message === null ? [] : (this.#ofMessage.get(node.message) ?? [])),
      ...(node.kind === 'assistant' ? (this.#resultsOf.get(node.id) ?? []) : []),
      ...(isBeside && (node.kind === 'tool_result' || node.isAttached) ? (this.#attachedTo.get(node.id) ?? []) : []),
    ]
  }
}

const push = (map: Map<string, Node[]>, key: string, node: Node): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [node])
  else list.push(node)
}
