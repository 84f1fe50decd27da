import { Counts, PLACE } from './counts.ts'
import { type Expert, keyOf } from './experts.ts'
import type { Situation } from './situation.ts'

/** Two figures of each expert for each candidate: how often, and how lately. */
export const PER_EXPERT = 2
const UNSEEN = 0.3
const WELL_KNOWN = 8
const QUICK: Readonly<Record<Expert['scope'], number>> = { project: 1, session: 1, kind: 0.4, all: 0.3 }

/** How often as a figure: little for what was never seen though there was much to see. */
export const figureOf = (count: number, total: number): number => Math.log((count + UNSEEN) / (total + 1)) / 3

export interface PanelShape {
  readonly experts: readonly Expert[]
  readonly width: number
  readonly mostRows: number
  readonly wideRows: number
  readonly mostCandidates: number
}

export interface Witness {
  readonly expert: Expert
  readonly count: number
  readonly total: number
}

/** All experts on one kind of symbol. */
export class Panel {
  readonly experts: readonly Expert[]
  readonly narrow: Counts
  readonly wide: Counts
  readonly #mostCandidates: number
  /** For each expert that looks beyond the project, the one that looks at the same within it. */
  readonly #ownExpert: readonly (number | undefined)[]

  constructor(shape: PanelShape) {
    this.experts = shape.experts
    this.narrow = new Counts({ width: shape.width, mostRows: shape.mostRows, keep: 0.75 })
    this.wide = new Counts({ width: 64, mostRows: shape.wideRows, keep: 0.92 })
    this.#mostCandidates = shape.mostCandidates
    this.#ownExpert = shape.experts.map(({ scope, context }) => {
      const own = shape.experts.findIndex((other) => other.scope === 'project' && other.context === context)
      return own >= 0 && (scope === 'kind' || scope === 'all') ? own : undefined
    })
  }

  learn(situation: Situation, symbol: number): void {
    for (let number = 0; number < this.experts.length; number++) {
      const expert = this.experts[number]
      if (expert === undefined) continue
      const key = keyOf(expert, number, situation)
      if (key !== 0) this.#table(expert).add(key, symbol)
    }
  }

  #table(expert: Expert): Counts {
    return expert.wide === true ? this.wide : this.narrow
  }

  /** The row of each expert for this situation; -1 for those that know nothing. */
  rows(situation: Situation): Int32Array {
    const rows = new Int32Array(this.experts.length)
    for (const [number, expert] of this.experts.entries()) {
      const key = keyOf(expert, number, situation)
      rows[number] = key === 0 ? -1 : this.#table(expert).find(key)
    }
    return rows
  }

  /** What any expert has seen here, the likeliest of it. */
  candidates(rows: Int32Array): number[] {
    const quick = new Map<number, number>()
    this.#each(rows, (number, symbol, count, total, recent) => {
      const expert = this.experts[number]
      const weight = expert === undefined ? 0 : QUICK[expert.scope]
      quick.set(symbol, (quick.get(symbol) ?? 0) + weight * (count / (total + 2) + recent + 0.001))
    })
    const ranked = [...quick].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    return ranked.slice(0, this.#mostCandidates).map(([symbol]) => symbol)
  }

  /** Which experts have seen a symbol here, and how often. */
  witnesses(rows: Int32Array, wanted: number): Witness[] {
    const found: Witness[] = []
    this.#each(rows, (number, symbol, count, total) => {
      const expert = this.experts[number]
      if (symbol === wanted && expert !== undefined) found.push({ expert, count, total })
    })
    return found
  }

  /** What a project knows well by itself is not asked of others, who may work differently. */
  #ownRows(rows: Int32Array): Int32Array {
    return rows.map((row, number) => {
      const own = rows[this.#ownExpert[number] ?? number] ?? -1
      const expert = this.experts[number]
      return expert !== undefined && this.#table(expert).total(own) >= WELL_KNOWN ? own : row
    })
  }

  /** Writes the figures of all experts into each candidate's row of `matrix`, from `column` on. */
  fill(found: Int32Array, symbols: readonly number[], matrix: Float32Array, features: number, column: number): void {
    const rows = this.#ownRows(found)
    const places = new Map<number, number[]>()
    for (const [index, symbol] of symbols.entries()) {
      const at = (index + 1) * features + column
      const others = places.get(symbol)
      if (others === undefined) places.set(symbol, [at])
      else others.push(at)
    }
    for (const [number, expert] of this.experts.entries()) {
      const row = rows[number] ?? -1
      const unseen = figureOf(0, this.#table(expert).total(row))
      for (let index = 0; index < symbols.length; index++)
        matrix[(index + 1) * features + column + number * PER_EXPERT] = unseen
    }
    this.#each(rows, (number, symbol, count, total, recent) => {
      for (const place of places.get(symbol) ?? []) {
        const at = place + number * PER_EXPERT
        matrix[at] = figureOf(count, total)
        matrix[at + 1] = recent
      }
    })
  }

  #each(
    rows: Int32Array,
    see: (expert: number, symbol: number, count: number, total: number, recent: number) => void,
  ): void {
    for (const [number, expert] of this.experts.entries()) {
      const row = rows[number] ?? -1
      if (row < 0) continue
      const table = this.#table(expert)
      const total = table.total(row)
      const end = table.end(row)
      for (let place = table.firstPlace(row); place < end && table.count(place) > 0; place += PLACE)
        see(number, table.symbol(place), table.count(place), total, table.recent(place))
    }
  }
}
