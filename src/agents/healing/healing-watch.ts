import { rememberedAssets, restoreAssets } from '../launch/assets.ts'
import { type Attempt, canaryDelay, isRunning, missedSkill, nextAttempt, recoveryText } from './healing.ts'
import type { Supervisor } from '../supervisor.ts'
import { type Agent, type Health, isAlive } from '../../contract/agent.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import type { Driver } from '../../drivers/contract.ts'
import { after } from '../../base/util/timer.ts'
import type { AgentWatcher } from '../agent-events.ts'
import type { Journal } from '../../contract/logs.ts'

interface HealingParts {
  supervisor: Supervisor
  journal: Journal
  now: () => number
  driver: (name: string) => Driver
  agentDir: (id: string) => string
  /** The `rein` of this version, by its full path. */
  rein: string
  recoveryAfter: number
  /** The oldest room that it watches. */
  firstRoom: (agent: Agent) => string | null
  /** Renews what `rein setup` has put where; whether that changed something. */
  refresh: () => Promise<boolean>
}

/** Notices when what Rein put into an agent got lost, puts it back, and counts. */
export class Healing implements AgentWatcher {
  readonly #parts: HealingParts
  readonly #canaries = new Map<string, { dueAt: number; cancel: () => void }>()
  readonly #since: number

  constructor(parts: HealingParts) {
    this.#parts = parts
    this.#since = parts.now()
  }

  /** Agents are taken over: something may have got lost while no daemon was there. */
  start(): void {
    for (const agent of this.#parts.supervisor.agents) if (isAlive(agent.state)) this.check(agent)
  }

  stop(): void {
    for (const { cancel } of this.#canaries.values()) cancel()
  }

  onChange(agent: Agent, _: Agent | null, record: AnyNewRecord): void {
    const { hooks } = this.#parts.driver(agent.driver)
    if (record.type === 'agent.launched') this.#disarm(agent.id)
    const delay = canaryDelay(agent, record, hooks.atStart(agent.host))
    if (delay !== null) this.#arm(agent.id, delay)
  }

  onEntry(agent: Agent, entry: ConversationEntry): void {
    const complaint = entry.at < this.#since ? null : missedSkill(entry)
    if (complaint === null) return
    this.#trouble(agent, `its CLI says: ${complaint}`)
    this.#heal(agent)
  }

  /** A compaction is when skills get lost. */
  onNewContext(agent: Agent): void {
    this.check(agent)
  }

  /** Puts back files that are missing or were changed. */
  check(agent: Agent): void {
    const deployed = rememberedAssets(this.#parts.agentDir(agent.id))
    const restored = deployed === null ? [] : this.#restore(agent, () => restoreAssets(deployed))
    if (restored.length > 0) this.#healed(agent, `put back: ${restored.join(', ')}`)
  }

  /** The last wake led to nothing. */
  failed(agent: Agent): void {
    const { hooks, failures } = agent.health
    this.#complain(
      agent,
      { failures: failures + 1, hooks: hooks === 'unknown' ? 'silent' : hooks },
      'a wake led to nothing',
    )
    this.#heal(agent)
  }

  /** It takes things in. */
  succeeded(agent: Agent): void {
    if (agent.health.failures > 0) this.#note(agent, { failures: 0 }, 'it takes things in again')
  }

  nextAttempt(failures: number): Attempt {
    return nextAttempt(failures, this.#parts.recoveryAfter)
  }

  recoveryText(agent: Agent): string {
    const { rein, agentDir, firstRoom } = this.#parts
    return recoveryText(agent.handle, rein, rememberedAssets(agentDir(agent.id)), firstRoom(agent))
  }

  /** Where something is surely wrong: also what `rein setup` has put there. */
  #heal(agent: Agent): void {
    if (agent.host === 'outside') void this.#renew(agent)
    else this.check(agent)
  }

  async #renew(agent: Agent): Promise<void> {
    if (await this.#parts.refresh()) this.#healed(agent, 'what rein setup had put there was renewed')
  }

  #healed({ id }: Agent, reason: string): void {
    const agent = this.#parts.supervisor.get(id)
    if (agent !== null) this.#complain(agent, { healed: agent.health.healed + 1 }, reason)
  }

  #listen(id: string): void {
    this.#canaries.delete(id)
    const agent = this.#parts.supervisor.get(id)
    if (agent === null || agent.health.hooks !== 'unknown' || !isRunning(agent)) return
    this.#complain(agent, { hooks: 'silent' }, 'it runs, and none of its hooks was heard')
    this.#heal(agent)
  }

  #restore(agent: Agent, restore: () => string[]): string[] {
    try {
      return restore()
    } catch (cause) {
      this.#trouble(agent, String(cause))
      return []
    }
  }

  #complain(agent: Agent, change: Partial<Health>, reason: string): void {
    this.#trouble(agent, reason)
    this.#note(agent, change, reason)
  }

  #note(agent: Agent, change: Partial<Health>, reason: string): void {
    this.#parts.supervisor
      .agent(agent.id)
      .current.note('agent.health', { health: { ...agent.health, ...change }, reason })
  }

  #trouble({ handle }: Agent, reason: string): void {
    this.#parts.journal.write('trouble', { where: `health of ${handle}`, reason })
  }

  /** The earliest counts: an agent that changes its state all the time is no less silent. */
  #arm(id: string, delay: number): void {
    const dueAt = this.#parts.now() + delay
    if ((this.#canaries.get(id)?.dueAt ?? Infinity) <= dueAt) return
    this.#disarm(id)
    this.#canaries.set(id, { dueAt, cancel: after(delay, () => this.#listen(id)) })
  }

  #disarm(id: string): void {
    this.#canaries.get(id)?.cancel()
    this.#canaries.delete(id)
  }
}
