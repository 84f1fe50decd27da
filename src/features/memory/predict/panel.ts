import { Counts } from './counts.ts'
import { contextKey, type Expert } from './experts.ts'
import type { Situation } from './situation.ts'

/** Two features of each expert for each candidate: how often, and how recently. */
export const perExpert = 2
const unseenCount = 0.3
/** A context that came this often in the project itself is well known. */
const wellKnown = 8
const quickWeights: Readonly<Record<Expert['scope'], number>> = { project: 1, session: 1, kind: 0.4, all: 0.3 }

/** The log-probability feature of a count: low for a symbol never seen in a context that came often. */
export const scaleCount = (count: number, total: number): number => Math.log((count + unseenCount) / (total + 1)) / 3

interface PanelShape {
  readonly experts: readonly Expert[]
  readonly width: number
  readonly mostRows: number
  readonly mostCandidates: number
}

export interface Witness {
  readonly expert: Expert
  readonly count: number
  readonly total: number
}

/** All experts on one kind of symbol. */
export class Panel {
  readonly narrow: Counts
  readonly wide: Counts
  /** Each expert with its table and, if it looks beyond the project, the one that looks at the same within it. */
  readonly #experts: readonly { readonly expert: Expert; readonly table: Counts; readonly own: number }[]
  readonly #mostCandidates: number

  constructor({ experts, width, mostRows, mostCandidates }: PanelShape) {
    this.narrow = new Counts({ width, mostRows, keep: 0.75 })
    this.wide = new Counts({ width: 64, mostRows: 2 ** 12, keep: 0.92 })
    this.#mostCandidates = mostCandidates
    this.#experts = experts.map((expert, number) => {
      const own = experts.findIndex(({ scope, context }) => scope === 'project' && context === expert.context)
      const isBeyond = expert.scope === 'kind' || expert.scope === 'all'
      return { expert, table: expert.wide === true ? this.wide : this.narrow, own: own >= 0 && isBeyond ? own : number }
    })
  }

  learn(situation: Situation, symbol: number): void {
    for (const [number, { expert, table }] of this.#experts.entries()) {
      const key = contextKey(expert, number, situation)
      if (key !== 0) table.add(key, symbol)
    }
  }

  /** The row of each expert for this situation; -1 for those that know nothing. */
  rows(situation: Situation): Int32Array {
    return Int32Array.from(this.#experts, ({ expert, table }, number) => {
      const key = contextKey(expert, number, situation)
      return key === 0 ? -1 : table.find(key)
    })
  }

  /** The likeliest of all symbols that any expert has seen here. */
  candidates(rows: Int32Array): number[] {
    const quick = new Map<number, number>()
    for (const [number, { expert, table }] of this.#experts.entries()) {
      const row = rows[number] ?? -1
      const weight = quickWeights[expert.scope]
      table.each(row, (symbol, count, recent) =>
        quick.set(symbol, (quick.get(symbol) ?? 0) + weight * (count / (table.total(row) + 2) + recent + 0.001)),
      )
    }
    return rankByWorth(quick, this.#mostCandidates)
  }

  /** The experts that have seen a symbol here, and how often. */
  witnesses(rows: Int32Array, wanted: number): Witness[] {
    const found: Witness[] = []
    for (const [number, { expert, table }] of this.#experts.entries()) {
      const row = rows[number] ?? -1
      table.each(row, (symbol, count) => {
        if (symbol === wanted) found.push({ expert, count, total: table.total(row) })
      })
    }
    return found
  }

  /** Writes the features of all experts into each candidate's row of `matrix`, from `column` on. */
  fill(rows: Int32Array, symbols: readonly number[], matrix: Float32Array, features: number, column: number): void {
    const starts = new Map<number, number[]>()
    for (const [index, symbol] of symbols.entries()) {
      const at = (index + 1) * features + column
      const others = starts.get(symbol)
      if (others === undefined) starts.set(symbol, [at])
      else others.push(at)
    }
    for (const [number, { table, own }] of this.#experts.entries()) {
      // Where the project knows a context well, its counts replace those of other projects, which may work differently.
      const ownRow = rows[own] ?? -1
      const row = table.total(ownRow) >= wellKnown ? ownRow : (rows[number] ?? -1)
      const total = table.total(row)
      const unseen = scaleCount(0, total)
      for (let index = 0; index < symbols.length; index++)
        matrix[(index + 1) * features + column + number * perExpert] = unseen
      table.each(row, (symbol, count, recent) => {
        for (const start of starts.get(symbol) ?? []) {
          matrix[start + number * perExpert] = scaleCount(count, total)
          matrix[start + number * perExpert + 1] = recent
        }
      })
    }
  }
}

/** The best symbols first, equal ones by number. */
export const rankByWorth = (worths: ReadonlyMap<number, number>, most: number): number[] =>
  [...worths]
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, most)
    .map(([symbol]) => symbol)
