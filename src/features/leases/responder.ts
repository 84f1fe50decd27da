import type { Agent } from '../../contract/agent.ts'
import type { HookCall, Responder } from '../../contract/hooks.ts'
import type { Lease } from '../../contract/lease.ts'
import { holderName } from '../../contract/lease-text.ts'
import type { Opinion } from '../../contract/opinion.ts'
import type { RecordBody } from '../../contract/record.ts'
import type { Driver } from '../../drivers/contract.ts'
import { Owed } from '../rules/owed.ts'
import type { Awaitable, LeaseOn } from '../rules/types.ts'
import { type LookedUp, lookedUpFrom } from '../rules/world.ts'
import type { ShellReading } from '../../base/shell/reading.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { type Change, changesOf, mayChange } from './changes.ts'
import { isOf } from './lease.ts'
import { isUnder, type RootBeside } from './paths.ts'
import { leaseWords, whatToDo } from './words.ts'

interface LeaseResponderPorts {
  agent: (id: string) => Agent | null
  driver: (name: string) => Pick<Driver, 'actions'>
  held: () => readonly Lease[]
  readShell: (command: string, cwd: string | null, home: string | null) => Awaitable<ShellReading>
  home: (agent: string) => string | null
  rootBeside: RootBeside
  record: (body: RecordBody<'lease.denied'>, agent: Agent) => void
  now: () => number
  deadlineMs: number
}

/** A change that a lease stands in the way of. */
interface Hit {
  lease: Lease
  file: string
}

const mostCalls = 1000
const longestTold = 200

/** Denies changes of files that another agent holds exclusively. */
export class LeaseResponder {
  readonly #ports: LeaseResponderPorts
  readonly #owed = new Owed('leases')
  /** Calls whose denial is written down: several hooks may tell of one. */
  readonly #denied = new BoundedMap<string, true>(mostCalls)

  constructor(ports: LeaseResponderPorts) {
    this.#ports = ports
  }

  get responder(): Responder {
    return {
      name: 'leases',
      events: ['before_tool', 'permission', 'after_tool', 'after_batch', 'prompt'],
      deadlineMs: this.#ports.deadlineMs,
      respond: async (call, room) => {
        if (!isTool(call)) return { context: this.#owed.settle(call, room) }
        const { opinions, hits, agent } = await this.#judge(call)
        if (agent !== null) this.#note(call, agent, hits)
        for (const { kind, reason } of opinions) if (kind === 'warn') this.#owed.owe(call, reason)
        return { opinions }
      },
      explain: async (call) => (isTool(call) ? (await this.#judge(call)).opinions : []),
      // Without an answer in time the change is denied where others hold files.
      failing: (call, why) => {
        const agent = this.#ports.agent(call.agent ?? '')
        const [first] = agent === null ? [] : this.#othersThan(agent).filter(({ project }) => project === agent.project)
        if (agent === null || first === undefined || !isTool(call)) return {}
        if (!mayChange(call, this.#ports.driver(call.driver).actions)) return {}
        const reason = `Rein could not tell in time whether somebody else holds what this changes (${why}), so it was not run. Try again.`
        return { opinions: [{ by: byOf(first), kind: 'deny', reason }] }
      },
    }
  }

  /** The lease of another holder on a file that an agent is about to change. */
  async leaseOn(agent: string, file: string, places: LookedUp): Promise<LeaseOn> {
    let found: LeaseOn = 'none'
    for (const lease of this.#ports.held()) {
      if (!(await isUnder(lease, { file, reach: 'file' }, places, this.#ports.rootBeside))) continue
      if (isOf(lease, agent)) return 'mine'
      found = 'other'
    }
    return found
  }

  async #judge(call: HookCall): Promise<{ opinions: Opinion[]; hits: readonly Hit[]; agent: Agent | null }> {
    const agent = this.#ports.agent(call.agent ?? '')
    const others = agent === null ? [] : this.#othersThan(agent)
    if (agent === null || others.length === 0) return { opinions: [], hits: [], agent }
    const { driver, home, readShell, now } = this.#ports
    const cwd = call.cwd ?? agent.cwd
    const { files, unreadable, untold } = await changesOf(call, driver(call.driver).actions, (command, at) =>
      readShell(command, at ?? cwd, home(agent.id)),
    )
    const near = others.filter(({ project }) => project === agent.project)
    const [first] = near
    if (unreadable !== null && first !== undefined) {
      const reason = `Rein: this change of files cannot be read (${unreadable}), and others hold files here: ${holdings(near)}. It was not run. Write it in the form that the tool describes, or one file at a time.`
      return { opinions: [{ by: byOf(first), kind: 'deny', reason }], hits: [], agent }
    }
    const hits = await this.#hits(files, others, lookedUpFrom(cwd, home(agent.id)))
    if (hits.length > 0) {
      const denials = hits.map(
        ({ lease, file }): Opinion => ({
          by: byOf(lease),
          kind: 'deny',
          reason: `Rein: this would change ${shown(file)}, and ${leaseWords(lease, now())}. It was not run. ${whatToDo(lease, lease.glob)}.`,
        }),
      )
      return { opinions: denials, hits, agent }
    }
    if (first === undefined || untold.length === 0) return { opinions: [], hits, agent }
    const unknown = [...new Set(untold.map(shown))].slice(0, 3).join(', ')
    const reason = `Rein: nobody can tell which files ${unknown} changes. Others hold files here: ${holdings(near)}. Make sure that you do not change these.`
    return { opinions: [{ by: byOf(first), kind: 'warn', reason }], hits, agent }
  }

  #othersThan({ id }: Agent): Lease[] {
    return this.#ports.held().filter((lease) => lease.mode === 'exclusive' && !isOf(lease, id))
  }

  async #hits(files: readonly Change[], leases: readonly Lease[], places: LookedUp): Promise<Hit[]> {
    const hits: Hit[] = []
    for (const lease of leases)
      for (const change of files)
        if (await isUnder(lease, change, places, this.#ports.rootBeside)) {
          hits.push({ lease, file: change.file })
          break
        }
    return hits
  }

  #note(call: HookCall, agent: Agent, hits: readonly Hit[]): void {
    const [tool] = call.tools
    for (const { lease, file } of hits) {
      const key = `${agent.id} ${tool?.id} ${lease.id}`
      if (tool?.id != null && this.#denied.has(key)) continue
      this.#denied.set(key, true)
      this.#ports.record({ lease: lease.id, path: file.slice(0, longestTold), tool: tool?.name ?? '' }, agent)
    }
  }
}

const isTool = ({ event }: HookCall): boolean => event === 'before_tool' || event === 'permission'

const byOf = ({ holder }: Lease): string => `lease ${holder?.handle ?? 'user'}`

const shown = (file: string): string => JSON.stringify(file.slice(0, longestTold))

const holdings = (leases: readonly Lease[]): string =>
  leases.map(({ glob, holder }) => `${glob} (${holderName(holder?.handle)})`).join(', ')
