import { BoundedMap } from '../../../base/util/bounded-map.ts'
import type { GitState } from './git-state.ts'
import { Since, type Work } from './since.ts'

/** A command whose result is not certain yet. */
export interface Open extends GitState, Work {
  command: string
  cwd: string | null
  at: number | null
  /** When a hook reported its end. */
  heardAt: number | null
}

const mostOpen = 200

/** The commands of one conversation, or of one of its sub-agents. */
export class Session {
  readonly since = new Since()
  /** By the id of the call. */
  readonly open = new BoundedMap<string, Open>(mostOpen)
  /** By the id of the call, or by its command where a hook has no id. */
  readonly begun = new BoundedMap<string, { at: number; cwd: string | null }>(mostOpen)
  /** Calls that never ran: a batch reports them like any other. */
  readonly refused = new BoundedMap<string, true>(mostOpen)
  /** The command that actually ran under an id. */
  readonly #rewritten = new BoundedMap<string, string>(mostOpen)
  /** The same for calls whose id is not known yet. */
  #rewrites: { from: string; to: string }[] = []
  /** Commands that hooks without ids reported before the transcript did. */
  #unnamed: Open[] = []

  /** The id in the transcript of a call that a hook reports without one; of two equal calls the first. */
  idOf(command: string): string | null {
    for (const [id, open] of this.open) if (open.command === command && open.heardAt === null) return id
    return null
  }

  /** Rein replaced `from` by `to`. */
  rewrite(id: string | null, from: string, to: string): void {
    const call = id ?? this.idOf(from)
    if (call === null) this.#rewrites = [...this.#rewrites.slice(1 - mostOpen), { from, to }]
    else this.#rewritten.set(call, to)
    const start = id === null ? this.begun.get(from) : undefined
    if (start !== undefined) this.begun.set(to, start)
    const open = call === null ? undefined : this.open.get(call)
    if (open !== undefined) open.command = to
  }

  /** The command that ran in place of the wanted one. */
  ranFor(id: string, wanted: string): string {
    const at = this.#rewrites.findIndex(({ from }) => from === wanted)
    const named = this.#rewritten.get(id) ?? (at === -1 ? undefined : this.#rewrites.splice(at, 1)[0]?.to)
    if (named !== undefined) this.#rewritten.set(id, named)
    return named ?? wanted
  }

  keep(open: Open): void {
    this.#unnamed = [...this.#unnamed.slice(1 - mostOpen), open]
  }

  /** The earlier report of a hook about a call that the transcript has now. */
  named(command: string): Open | undefined {
    const at = this.#unnamed.findIndex((open) => open.command === command)
    return at === -1 ? undefined : this.#unnamed.splice(at, 1)[0]
  }
}
