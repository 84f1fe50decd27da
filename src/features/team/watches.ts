import { asReinError } from '../../contract/errors.ts'
import type { Actor, AgentRef } from '../../contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody, type RecordType } from '../../contract/record.ts'
import { type Watch, watchesAll } from '../../contract/team.ts'
import type { Database } from '../../base/store/sqlite.ts'
import { type Control, parseControl } from './control.ts'
import { checkHub, type ReadTeam } from './hubs.ts'
import { allWatches, type ControlLine, controlLines } from './store.ts'
import { register, unregister } from './watch.ts'

export interface WatchPorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  reader: Database
  team(project: string): ReadTeam
  now(): number
  newId(prefix: string): string
}

/** `set` puts these in the place of all; then `drop`, then `add`. */
export interface WatchChange {
  set?: readonly string[] | undefined
  add?: readonly string[]
  drop?: readonly string[]
}

/** What each agent is told about, and how that came to be. */
export class Watches {
  readonly #ports: WatchPorts
  #watches: Map<string, Watch>
  #changing: Promise<unknown> = Promise.resolve()

  constructor(ports: WatchPorts) {
    this.#ports = ports
    this.#watches = allWatches(ports.reader)
  }

  /** Forgets what it remembers and reads what is written down. */
  reload(): void {
    this.#watches = allWatches(this.#ports.reader)
  }

  get(agent: string): Watch {
    return this.#watches.get(agent) ?? watchesAll
  }

  change(agent: AgentRef, { set, add = [], drop = [] }: WatchChange, actor: Actor): Promise<Watch> {
    return this.#inTurn(async () => {
      for (const subject of [...(set ?? []), ...add]) checkHub(this.#ports.team(agent.project), subject)
      const before = this.get(agent.id)
      const begun = set === undefined ? before : { ...before, subjects: [...new Set(set)], except: [] }
      const watch = add.reduce(register, drop.reduce(unregister, begun))
      await this.#keep(agent, watch, actor, [])
      return watch
    })
  }

  /** Takes in one line for an agent; one that is wrong is kept, too, with what is wrong about it. */
  control(agent: AgentRef, line: string, actor: Actor): Promise<Watch> {
    return this.#inTurn(async () => {
      const { watch, error } = this.#after(agent, line)
      if (line.trim() === '') return watch
      const body = { line, error: error?.message ?? null }
      await this.#keep(agent, watch, actor, [this.#record('control.line', body, agent, actor)])
      if (error !== null) throw error
      return watch
    })
  }

  /** All lines for an agent, oldest first. */
  history(agent: string): ControlLine[] {
    return controlLines(this.#ports.reader, agent)
  }

  #after(agent: AgentRef, line: string) {
    const watch = this.get(agent.id)
    try {
      const control = parseControl(line)
      if (control?.kind === 'register') checkHub(this.#ports.team(agent.project), control.subject)
      return { watch: carryOut(watch, control), error: null }
    } catch (cause) {
      return { watch, error: asReinError(cause) }
    }
  }

  /** In one append with what led to it, and only if something is different. */
  async #keep(agent: AgentRef, watch: Watch, actor: Actor, records: AnyNewRecord[]): Promise<void> {
    const isSame = JSON.stringify(watch) === JSON.stringify(this.get(agent.id))
    const all = isSame ? records : [...records, this.#record('watch.set', { watch }, agent, actor)]
    if (all.length > 0) await this.#ports.append(all)
    if (!isSame) this.#watches.set(agent.id, watch)
  }

  #record<T extends RecordType>(type: T, body: RecordBody<T>, { id: agent, project }: AgentRef, actor: Actor) {
    const context = { id: this.#ports.newId('rec'), at: this.#ports.now(), actor, agent, project }
    return newRecord(type, body, context) as AnyNewRecord
  }

  /** One change after the other: each begins with what the one before it has made. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const mine = this.#changing.then(change)
    this.#changing = mine.catch(() => undefined)
    return mine
  }
}

const carryOut = (watch: Watch, control: Control): Watch => {
  if (control === null) return watch
  if (control.kind === 'interval') return { ...watch, intervalS: control.seconds }
  return control.kind === 'register' ? register(watch, control.subject) : unregister(watch, control.subject)
}
