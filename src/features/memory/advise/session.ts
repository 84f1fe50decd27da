import type { Advice, AdviceKind } from '../../../contract/command.ts'
import { BoundedMap } from '../../../base/util/bounded-map.ts'
import type { About } from './about.ts'

/** A decision to say nothing, until the next command shows whether that was right. */
export interface Pending {
  readonly advice: Advice
  readonly about: Pick<About, 'agent' | 'project'>
}

/** What was run in place of what was wanted. */
export interface Owed {
  readonly wanted: string
  readonly run: string
  readonly reason: string
}

/** What the log has of something that was said; its words may be forgotten. */
export interface Said {
  readonly kind: AdviceKind
  readonly text: string | null
  /** The command that it was about. */
  readonly about: string | null
}

const MOST_SAID = 200
const MOST_OWED = 20

/** The same advice, however often it had worked by then. */
const gist = (text: string): string => text.replaceAll(/\b\d+ of \d+ times?\b|\brun \d+ times\b/g, '…')

/** Under which a command is known as denied. */
export const deniedKey = (command: string): string => `deny ${command}`

/** What was said in one conversation. */
export class AdviceSession {
  readonly #said = new BoundedMap<string, number>(MOST_SAID)
  /** What an earlier daemon said. */
  readonly #earlier: ReadonlySet<string>
  /** Why a command was rewritten, as long as the model does not know it. */
  readonly #owed = new BoundedMap<string, Owed>(MOST_OWED)
  /** When something was said last. */
  lastAt: number | null = null
  pending: Pending | null = null

  constructor(earlier: readonly Said[]) {
    this.#earlier = new Set(earlier.flatMap(({ text }) => (text === null ? [] : gist(text))))
    for (const { kind, about } of earlier) {
      if (kind === 'primer') this.say('primer', 0)
      if (kind === 'deny' && about !== null) this.say(deniedKey(about), Number.POSITIVE_INFINITY)
    }
  }

  wasSaidEarlier(text: string): boolean {
    return this.#earlier.has(gist(text))
  }

  owe(owed: Owed): void {
    this.#owed.set(owed.wanted, owed)
  }

  /** What the model is to be told now that these were run, or nobody knows what was. */
  settle(ran: readonly string[]): string[] {
    const due = [...this.#owed.values()].filter(
      ({ wanted, run }) => ran.length === 0 || ran.includes(wanted) || ran.includes(run),
    )
    for (const { wanted } of due) this.#owed.delete(wanted)
    return due.map(({ reason }) => reason)
  }

  /** The same was said, on as much evidence. */
  hasSaid(key: string, evidence: number): boolean {
    return (this.#said.get(key) ?? -1) >= evidence
  }

  say(key: string, evidence: number): void {
    this.#said.set(key, evidence)
  }
}

const MOST_SESSIONS = 256

/** The conversations that were heard of last. */
export class AdviceSessions {
  readonly #sessions = new BoundedMap<string, AdviceSession>(MOST_SESSIONS)
  readonly #saidBefore: (id: string) => readonly Said[]

  constructor(saidBefore: (id: string) => readonly Said[]) {
    this.#saidBefore = saidBefore
  }

  of(id: string): AdviceSession {
    const session = this.#sessions.get(id) ?? new AdviceSession(this.#saidBefore(id))
    this.#sessions.set(id, session)
    return session
  }

  /** The model knows nothing of what was said. */
  forget(id: string): void {
    this.#sessions.set(id, new AdviceSession([]))
  }

  dropPending(): void {
    for (const session of this.#sessions.values()) session.pending = null
  }
}
