import type { ReceiptState } from '../../src/contract/directive.ts'
import type { Account } from './account.ts'
import type { Stored } from './receipts.ts'

export type Counts = Record<string, number>

export interface Tally {
  mode: string
  seed: number
  counts: Counts
  /** Which counts are not what they must be; empty when all is well. */
  failures: string[]
}

const states: readonly ReceiptState[] = ['queued', 'held', 'offered', 'placed', 'seen', 'acked']

/** Missing, queued and delivered are counted apart: a queue that is not empty yet is not a loss. */
export const count = (accepted: string[], receipts: Map<string, Stored>, account: Account): Counts => {
  const missing = accepted.filter((note) => !receipts.has(note))
  const stored = accepted.filter((note) => receipts.has(note))
  const stateOf = (note: string): ReceiptState | undefined => receipts.get(note)?.state
  return {
    accepted: accepted.length,
    'missing from the store': missing.length,
    ...Object.fromEntries(states.map((state) => [state, accepted.filter((note) => stateOf(note) === state).length])),
    'given up': stored.filter((note) => !states.some((state) => state === stateOf(note))).length,
    'really got by a model': accepted.filter((note) => account.got.has(note)).length,
    ...account.shownAgain,
    'lost acks': [...account.acked].filter((note) => receipts.has(note) && stateOf(note) !== 'acked').length,
    'false seen': account.falseSeen.length,
    lost: missing.filter((note) => !account.got.has(note)).length,
  }
}

const mustBeZero = [
  'missing from the store',
  'queued',
  'held',
  'offered',
  'placed',
  'given up',
  'lost acks',
  'false seen',
  'lost',
]

/** A control has to lose something: otherwise this campaign could not see a loss. */
export const judge = (counts: Counts, isControl: boolean): string[] => {
  if (isControl) return (counts['lost'] ?? 0) > 0 ? [] : ['the control lost nothing']
  return mustBeZero.filter((name) => (counts[name] ?? 0) > 0).map((name) => `${name}: ${counts[name]}`)
}

export const table = ({ mode, seed, counts, failures }: Tally): string => {
  if (Object.keys(counts).length === 0) return mode
  const width = Math.max(...Object.keys(counts).map((name) => name.length))
  const rows = Object.entries(counts).map(([name, value]) => `${name.padEnd(width)}  ${value}`)
  const verdict = failures.length === 0 ? 'as it must be' : `NOT as it must be (${failures.join(', ')})`
  return [`${mode}, seed ${seed}`, ...rows, verdict].join('\n')
}
