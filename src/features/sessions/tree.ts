import { ReinError } from '../../contract/errors.ts'
import type { Place } from '../../contract/session.ts'
import type { Turn } from './turn.ts'

const keyOf = (conversation: string, turn: string): string => `${conversation}\n${turn}`

/** Counts like spreadsheet columns: 1 is a, 27 is aa. */
const letters = (count: number): string => {
  if (count === 0) return ''
  const rest = count - 1
  return rest < 26
    ? String.fromCharCode(97 + rest)
    : letters(Math.floor(rest / 26)) + String.fromCharCode(97 + (rest % 26))
}

/** The label of a turn of depth `n` that began after `others` turns of the same depth. */
export const labelFor = (n: number, others: number): string => `${n}${others === 0 ? '' : letters(others + 1)}`

/** The turns of a session as a tree; the label of a turn never changes. */
export class TurnTree {
  /** In the order in which they began. */
  readonly turns: readonly Turn[]
  readonly #byKey = new Map<string, Turn>()
  readonly #byLabel = new Map<string, Turn>()
  readonly #labels = new Map<Turn, string>()
  readonly #children = new Map<Turn, Turn[]>()

  constructor(turns: readonly Turn[]) {
    this.turns = turns
    const counts = new Map<number, number>()
    for (const turn of turns) {
      const count = counts.get(turn.n) ?? 0
      counts.set(turn.n, count + 1)
      const label = labelFor(turn.n, count)
      this.#labels.set(turn, label)
      this.#byLabel.set(label, turn)
      this.#byKey.set(keyOf(turn.conversation, turn.turn), turn)
      const parent = this.parentOf(turn)
      if (parent !== null) this.#children.set(parent, [...(this.#children.get(parent) ?? []), turn])
    }
  }

  /** Null is before the first prompt. */
  find(label: string): Turn | null {
    if (label === '0') return null
    const found = this.#byLabel.get(label)
    if (found !== undefined) return found
    const labels = [...this.#byLabel.keys()]
    const known = labels.length > 6 ? [...labels.slice(0, 3), '…', ...labels.slice(-2)] : labels
    throw new ReinError('not_found', `There is no turn ${label} in this session.`, `It has: 0, ${known.join(', ')}.`)
  }

  at({ conversation, turn }: Place): Turn | null {
    return conversation === null || turn === null ? null : (this.#byKey.get(keyOf(conversation, turn)) ?? null)
  }

  labelOf(turn: Turn | null): string {
    return turn === null ? '0' : (this.#labels.get(turn) ?? '0')
  }

  parentOf({ parent }: Turn): Turn | null {
    return parent === null ? null : this.at(parent)
  }

  /** From the first one to this. */
  pathTo(turn: Turn | null): Turn[] {
    const path: Turn[] = []
    for (let one = turn; one !== null; one = this.parentOf(one)) path.push(one)
    return path.toReversed()
  }

  /** What began after it, in the order of time. */
  childrenOf(turn: Turn): readonly Turn[] {
    return this.#children.get(turn) ?? []
  }

  /** Whether its conversation ends with it. */
  isLast({ conversation, turn }: Turn): boolean {
    return this.turns.findLast((one) => one.conversation === conversation)?.turn === turn
  }
}
