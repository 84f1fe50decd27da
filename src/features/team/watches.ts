import { asReinError, type ReinError } from '../../contract/errors.ts'
import type { Actor, AgentRef } from '../../contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody, type RecordType } from '../../contract/record.ts'
import { type Watch, watchesAll } from '../../contract/team.ts'
import type { Database } from '../../base/store/sqlite.ts'
import { Serial } from '../../base/util/serial.ts'
import { parseControl } from './control.ts'
import { checkHub, type ReadTeam } from './hubs.ts'
import { allWatches, type ControlLine, controlLines } from './store.ts'
import { register, unregister } from './watch.ts'

interface WatchPorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  reader: Database
  team(project: string): ReadTeam
  now(): number
  newId(prefix: string): string
}

/** `set` puts these in the place of all; then `drop`, then `add`. */
interface WatchChange {
  set?: readonly string[] | undefined
  add?: readonly string[]
  drop?: readonly string[]
}

/** The subjects that each agent watches, and the control lines that set them. */
export class Watches {
  readonly #ports: WatchPorts
  #watches: Map<string, Watch>
  /** Each change starts from the result of the one before. */
  readonly #queue = new Serial()

  constructor(ports: WatchPorts) {
    this.#ports = ports
    this.#watches = allWatches(ports.reader)
  }

  /** Reads the tables again. */
  reload(): void {
    this.#watches = allWatches(this.#ports.reader)
  }

  get(agent: string): Watch {
    return this.#watches.get(agent) ?? watchesAll
  }

  change(agent: AgentRef, { set, add = [], drop = [] }: WatchChange, actor: Actor): Promise<Watch> {
    return this.#queue.run(async () => {
      for (const subject of [...(set ?? []), ...add]) checkHub(this.#ports.team(agent.project), subject)
      const before = this.get(agent.id)
      const begun = set === undefined ? before : { ...before, subjects: [...new Set(set)], except: [] }
      const watch = add.reduce(register, drop.reduce(unregister, begun))
      await this.#keep(agent, watch, actor, [])
      return watch
    })
  }

  /** Applies one line for an agent; an invalid line is recorded, too, with its error. */
  control(agent: AgentRef, line: string, actor: Actor): Promise<Watch> {
    return this.#queue.run(async () => {
      let [watch, error]: [Watch, ReinError | null] = [this.get(agent.id), null]
      try {
        const control = parseControl(line)
        if (control?.kind === 'register') {
          checkHub(this.#ports.team(agent.project), control.subject)
          watch = register(watch, control.subject)
        } else if (control?.kind === 'unregister') watch = unregister(watch, control.subject)
        else if (control !== null) watch = { ...watch, intervalS: control.seconds }
      } catch (cause) {
        error = asReinError(cause)
      }
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

  /** In one append with the line that caused it, and only if something changes. */
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
}
