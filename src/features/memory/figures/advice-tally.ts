import type { AdviceKind } from '../../../contract/command.ts'
import type { StatsView } from '../../../contract/routes/memory.ts'
import { LineCache } from '../../../base/shell/line-cache.ts'
import { normalise } from '../../../base/shell/normalise.ts'
import type { AdviceFacts } from './store.ts'
import { conversationOf } from './trial.ts'

type AdviceView = StatsView['advice']
type KindView = AdviceView['kinds'][number]

/** Counts advice, and how much of it was followed. */
export class AdviceTally {
  readonly #lines = new LineCache()
  readonly #kinds = new Map<string, KindView>()
  readonly #silent = new Map<string, number>()
  /** By conversation. */
  readonly #arms = new Map<string, 'advised' | 'heldOut'>()
  #decisions = 0

  add(decision: AdviceFacts): void {
    const { session, isShown, why, kind, next } = decision
    const conversation = conversationOf(session)
    this.#decisions += 1
    if (isShown) {
      const counts = this.#kinds.get(kind) ?? { kind, shown: 0, followed: 0, followedOk: 0 }
      const isFollowed = next !== null && followed(decision, next.command, this.#lines) !== null
      counts.shown += 1
      counts.followed += Number(isFollowed)
      counts.followedOk += Number(isFollowed && next.outcome === 'ok')
      this.#kinds.set(kind, counts)
      // A conversation that got any advice, say before a setting was changed, is not held out.
      this.#arms.set(conversation, 'advised')
      return
    }
    this.#silent.set(why, (this.#silent.get(why) ?? 0) + 1)
    if (why === 'held out' && kind !== 'none' && !this.#arms.has(conversation)) this.#arms.set(conversation, 'heldOut')
  }

  /**
   * The side of the trial that a conversation is on; null on neither.
   * Only conversations with something to say count: without it, both sides would be the same.
   */
  armOf(conversation: string): 'advised' | 'heldOut' | null {
    return this.#arms.get(conversation) ?? null
  }

  view(): AdviceView {
    const kinds = [...this.#kinds.values()].toSorted((a, b) => b.shown - a.shown)
    const sum = (part: 'shown' | 'followed' | 'followedOk'): number =>
      kinds.reduce((total, kind) => total + kind[part], 0)
    return {
      decisions: this.#decisions,
      shown: sum('shown'),
      followed: sum('followed'),
      followedOk: sum('followedOk'),
      kinds,
      silent: [...this.#silent].map(([why, count]) => ({ why, count })).toSorted((a, b) => b.count - a.count),
    }
  }
}

interface ShownAdvice {
  kind: AdviceKind
  text: string
  /** The command that it was about. */
  about: string
}

/** The primer warns of these commands. */
const warning = /^- fails here: `[^`\n]+`/gm

/** Whether the next command is one that was named: exactly, or with another file, branch or number in it. */
export const followed = (
  { kind, text, about }: ShownAdvice,
  next: string,
  lines: LineCache,
): 'exactly' | 'in kind' | null => {
  // The agent does not choose a rewrite: this tells that it was run.
  if (kind === 'rewrite')
    return normalise(about) !== normalise(next) && lines.read(about).stub === lines.read(next).stub ? 'exactly' : null
  const quoted = [...text.replaceAll(warning, '').matchAll(/`([^`\n]+)`/g)].map(([, command = '']) => command)
  // A fix that names no command is to run the same again.
  const named = quoted.length === 0 && kind === 'fix' ? [about] : quoted
  if (named.some((command) => normalise(command) === normalise(next))) return 'exactly'
  const { template } = lines.read(next)
  const isInKind = template !== '' && named.some((command) => lines.read(command).template === template)
  return isInKind ? 'in kind' : null
}
