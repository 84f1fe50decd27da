import type { Agent } from '../../contract/agent.ts'
import type { HookCall, Responder, ResponderReply } from '../../contract/hooks.ts'
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
      respond: (call, room) => (isTool(call) ? this.#answer(call) : { context: this.#owed.settle(call, room) }),
      explain: async (call) => (isTool(call) ? (await this.#judge(call)).opinions : []),
      failing: (call, why) => this.#closed(call, why),
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

  async #answer(call: HookCall): Promise<ResponderReply> {
    const { opinions, hits, agent } = await this.#judge(call)
    if (agent !== null) this.#note(call, agent, hits)
    for (const { kind, reason } of opinions) if (kind === 'warn') this.#owed.owe(call, reason)
    return { opinions }
  }

  async #judge(call: HookCall): Promise<{ opinions: Opinion[]; hits: readonly Hit[]; agent: Agent | null }> {
    const agent = this.#ports.agent(call.agent ?? '')
    const others = agent === null ? [] : this.#othersThan(agent)
    if (agent === null || others.length === 0) return { opinions: [], hits: [], agent }
    const { files, unreadable, untold } = await this.#changes(call, agent)
    const [near, ...more] = others.filter(({ project }) => project === agent.project)
    if (unreadable !== null && near !== undefined)
      return { opinions: [unreadableDenial([near, ...more], unreadable)], hits: [], agent }
    const hits = await this.#hits(files, others, lookedUpFrom(cwdOf(call, agent), this.#ports.home(agent.id)))
    if (hits.length > 0) return { opinions: this.#denials(hits), hits, agent }
    return { opinions: near !== undefined && untold.length > 0 ? [warning([near, ...more], untold)] : [], hits, agent }
  }

  #changes(call: HookCall, agent: Agent): ReturnType<typeof changesOf> {
    const { driver, home, readShell } = this.#ports
    return changesOf(call, driver(call.driver).actions, (command, cwd) =>
      readShell(command, cwd ?? cwdOf(call, agent), home(agent.id)),
    )
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

  #denials(hits: readonly Hit[]): Opinion[] {
    return hits.map(({ lease, file }) => ({
      by: byOf(lease),
      kind: 'deny',
      reason: `Rein: this would change ${shown(file)}, and ${leaseWords(lease, this.#ports.now())}. It was not run. ${whatToDo(lease, lease.glob)}.`,
    }))
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

  /** Without an answer in time the change is denied where others hold files. */
  #closed(call: HookCall, why: string): ResponderReply {
    const agent = this.#ports.agent(call.agent ?? '')
    const [first] = agent === null ? [] : this.#othersThan(agent).filter(({ project }) => project === agent.project)
    if (agent === null || first === undefined || !isTool(call)) return {}
    if (!mayChange(call, this.#ports.driver(call.driver).actions)) return {}
    const reason = `Rein could not tell in time whether somebody else holds what this changes (${why}), so it was not run. Try again.`
    return { opinions: [{ by: byOf(first), kind: 'deny', reason }] }
  }
}

const isTool = ({ event }: HookCall): boolean => event === 'before_tool' || event === 'permission'

const cwdOf = ({ cwd }: HookCall, agent: Agent): string => cwd ?? agent.cwd

const byOf = ({ holder }: Lease): string => `lease ${holder?.handle ?? 'user'}`

const shown = (file: string): string => JSON.stringify(file.slice(0, longestTold))

const holdings = (leases: readonly Lease[]): string =>
  leases.map(({ glob, holder }) => `${glob} (${holderName(holder?.handle)})`).join(', ')

type Some = readonly [Lease, ...Lease[]]

const unreadableDenial = (leases: Some, why: string): Opinion => ({
  by: byOf(leases[0]),
  kind: 'deny',
  reason: `Rein: this change of files cannot be read (${why}), and others hold files here: ${holdings(leases)}. It was not run. Write it in the form that the tool describes, or one file at a time.`,
})

const warning = (leases: Some, untold: readonly string[]): Opinion => ({
  by: byOf(leases[0]),
  kind: 'warn',
  reason: `Rein: nobody can tell which files ${[...new Set(untold.map(shown))].slice(0, 3).join(', ')} changes. Others hold files here: ${holdings(leases)}. Make sure that you do not change these.`,
})
