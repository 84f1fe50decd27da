import type { StatsView } from '../../../contract/routes/memory.ts'
import { LineCache } from '../../../base/shell/line-cache.ts'
import { followed } from './followed.ts'
import type { AdviceFacts } from './store.ts'
import { conversationOf } from './trial.ts'

type AdviceView = StatsView['advice']
type KindView = AdviceView['kinds'][number]

const heldOut = 'held out'

/** What was said, and whether it was heeded. */
export class AdviceTally {
  readonly #lines = new LineCache()
  readonly #kinds = new Map<string, KindView>()
  readonly #silent = new Map<string, number>()
  /** By conversation. */
  readonly #arms = new Map<string, 'advised' | 'heldOut'>()
  #decisions = 0

  add(decision: AdviceFacts): void {
    this.#decisions += 1
    if (decision.isShown) this.#addShown(decision)
    else this.#silent.set(decision.why, (this.#silent.get(decision.why) ?? 0) + 1)
    this.#assign(decision)
  }

  /**
   * On which side of the trial a conversation is; null on neither.
   * Only those count in which there was something to say: without it, both sides would be the same.
   */
  armOf(conversation: string): 'advised' | 'heldOut' | null {
    return this.#arms.get(conversation) ?? null
  }

  /** One that was told anything, say before a setting was changed, is not held out. */
  #assign({ session, isShown, why, kind }: AdviceFacts): void {
    const conversation = conversationOf(session)
    if (isShown) this.#arms.set(conversation, 'advised')
    else if (why === heldOut && kind !== 'none' && !this.#arms.has(conversation))
      this.#arms.set(conversation, 'heldOut')
  }

  #addShown(advice: AdviceFacts): void {
    const { kind, next } = advice
    const counts = this.#kinds.get(kind) ?? { kind, shown: 0, followed: 0, followedOk: 0 }
    const isFollowed = next !== null && followed(advice, next.command, this.#lines) !== null
    counts.shown += 1
    counts.followed += Number(isFollowed)
    counts.followedOk += Number(isFollowed && next.outcome === 'ok')
    this.#kinds.set(kind, counts)
  }

  view(): AdviceView {
    const kinds = [...this.#kinds.values()].toSorted((a, b) => b.shown - a.shown)
    const sum = (count: (kind: KindView) => number): number => kinds.reduce((total, kind) => total + count(kind), 0)
    return {
      decisions: this.#decisions,
      shown: sum((kind) => kind.shown),
      followed: sum((kind) => kind.followed),
      followedOk: sum((kind) => kind.followedOk),
      kinds,
      silent: [...this.#silent].map(([why, count]) => ({ why, count })).toSorted((a, b) => b.count - a.count),
    }
  }
}
