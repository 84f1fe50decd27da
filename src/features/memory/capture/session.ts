import { BoundedMap } from '../../../base/util/bounded-map.ts'
import type { GitState } from './git-state.ts'
import { Since, type Work } from './since.ts'

/** A command of which it is not certain yet how it ended. */
export interface Open extends GitState, Work {
  command: string
  cwd: string | null
  at: number | null
  /** When a hook told that it has ended. */
  heardAt: number | null
}

export interface Begun {
  at: number
  cwd: string | null
}

const mostOpen = 200

/** One conversation, or one of its sub-agents, as far as commands are concerned. */
export class Session {
  readonly since = new Since()
  /** By the id of the call. */
  readonly open = new BoundedMap<string, Open>(mostOpen)
  /** By the id of the call, or by its command where a hook tells no id. */
  readonly begun = new BoundedMap<string, Begun>(mostOpen)
  /** Calls that were never run: a batch tells of them like of any other. */
  readonly refused = new BoundedMap<string, true>(mostOpen)
  /** What really was run under an id. */
  readonly #rewritten = new BoundedMap<string, string>(mostOpen)
  /** The same for calls whose id is not known yet. */
  #rewrites: { from: string; to: string }[] = []
  /** What hooks without ids told before the transcript did. */
  #unnamed: Open[] = []

  /** The call in the transcript that a hook without an id tells of; of two equal ones the first. */
  idOf(command: string): string | null {
    for (const [id, open] of this.open) if (open.command === command && open.heardAt === null) return id
    return null
  }

  /** Rein had `to` run in place of `from`. */
  rewrite(id: string | null, from: string, to: string): void {
    const call = id ?? this.idOf(from)
    if (call === null) this.#rewrites = [...this.#rewrites.slice(1 - mostOpen), { from, to }]
    else this.#rewritten.set(call, to)
    const start = id === null ? this.begun.get(from) : undefined
    if (start !== undefined) this.begun.set(to, start)
    const open = call === null ? undefined : this.open.get(call)
    if (open !== undefined) open.command = to
  }

  /** What was run where this was wanted. */
  ranFor(id: string, wanted: string): string {
    const at = this.#rewrites.findIndex(({ from }) => from === wanted)
    const named = this.#rewritten.get(id) ?? (at === -1 ? undefined : this.#rewrites.splice(at, 1)[0]?.to)
    if (named !== undefined) this.#rewritten.set(id, named)
    return named ?? wanted
  }

  keep(open: Open): void {
    this.#unnamed = [...this.#unnamed.slice(1 - mostOpen), open]
  }

  /** What a hook had told of the call that the transcript tells of now. */
  named(command: string): Open | undefined {
    const at = this.#unnamed.findIndex((open) => open.command === command)
    return at === -1 ? undefined : this.#unnamed.splice(at, 1)[0]
  }
}
