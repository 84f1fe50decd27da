import type { Advice } from '../../../contract/command.ts'
import { BoundedMap } from '../../../base/util/bounded-map.ts'
import type { About } from './about.ts'

/** The log's entry for earlier advice; its words may be forgotten. */
export type Said = Pick<Advice, 'kind' | 'text' | 'about'>

/** A rewritten command that the model has not been told about yet. */
export interface Owed {
  readonly wanted: string
  readonly run: string
  readonly reason: string
}

const mostSaid = 200
const mostOwed = 20

/** The text without its counts: the same advice on more evidence has the same gist. */
const readGist = (text: string): string => text.replaceAll(/\b\d+ of \d+ times?\b|\brun \d+ times\b/g, '…')

/** The key under which a denied command is remembered. */
export const deniedKey = (command: string): string => `deny ${command}`

/** The advice of one conversation. */
export class AdviceSession {
  readonly #said = new BoundedMap<string, number>(mostSaid)
  /** The advice of earlier daemons. */
  readonly #earlier: ReadonlySet<string>
  readonly #owed = new BoundedMap<string, Owed>(mostOwed)
  /** The time of the last advice. */
  lastAt: number | null = null
  /** A decision to say nothing, kept until the next command shows whether it was right. */
  pending: { readonly advice: Advice; readonly about: Pick<About, 'agent' | 'project'> } | null = null

  constructor(earlier: readonly Said[]) {
    this.#earlier = new Set(earlier.flatMap(({ text }) => (text === null ? [] : readGist(text))))
    for (const { kind, about } of earlier) {
      if (kind === 'primer') this.say('primer', 0)
      if (kind === 'deny' && about !== null) this.say(deniedKey(about), Number.POSITIVE_INFINITY)
    }
  }

  wasSaidEarlier(text: string): boolean {
    return this.#earlier.has(readGist(text))
  }

  owe(owed: Owed): void {
    this.#owed.set(owed.wanted, owed)
  }

  /** The reasons to tell now that these commands have run; all of them if it is not known which ran. */
  settle(ran: readonly string[]): string[] {
    const due = [...this.#owed.values()].filter(
      ({ wanted, run }) => ran.length === 0 || ran.includes(wanted) || ran.includes(run),
    )
    for (const { wanted } of due) this.#owed.delete(wanted)
    return due.map(({ reason }) => reason)
  }

  /** Whether the same was said on at least as much evidence. */
  hasSaid(key: string, evidence: number): boolean {
    return (this.#said.get(key) ?? -1) >= evidence
  }

  say(key: string, evidence: number): void {
    this.#said.set(key, evidence)
  }
}
