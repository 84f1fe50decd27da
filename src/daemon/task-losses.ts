import type { Supervisor } from '../agents/supervisor.ts'
import type { Agent } from '../contract/agent.ts'
import type { AgentRef } from '../contract/identity.ts'
import type { AnyNewRecord } from '../contract/record.ts'
import type { Task, TaskMember } from '../contract/task.ts'
import { roomKey } from '../contract/team.ts'
import { lossId, lossOf, lossText } from '../tasks/loss.ts'
import { roomOf } from '../tasks/names.ts'
import { isOn } from '../tasks/task.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { Bus } from '../team/bus/bus.ts'
import type { Rooms } from '../team/rooms/rooms.ts'
import { after } from '../util/timer.ts'
import type { AgentWatcher } from './agent-watcher.ts'

export interface LossParts {
  tasks: Tasks
  supervisor: Supervisor
  rooms: Rooms
  bus: Bus
  /** It is stopped only to go on elsewhere. */
  isMoving(agent: string): boolean
  tellPeople(project: string, text: string): void
  onTrouble(cause: unknown): void
}

/** A restart and a change of conversation stop an agent, too, for so long at most. */
const graceMs = 10_000
const actor = { kind: 'daemon' as const }

/** An agent of a task that is gone is reported, not just missing: to its lead and in the room; a lead to a person. */
export class TaskLosses implements AgentWatcher {
  readonly #parts: LossParts
  readonly #timers = new Map<string, () => void>()
  #isOpen = false

  constructor(parts: LossParts) {
    this.#parts = parts
  }

  /** What an earlier daemon saw and could not report any more is reported now; twice is the same report. */
  start(): void {
    this.#isOpen = true
    const { tasks } = this.#parts
    for (const task of tasks.all(null))
      for (const { agent } of tasks.stillAt(task)) {
        if (isOn(task)) this.#look(agent.id)
        else this.#leaveDown(agent.id)
      }
  }

  stop(): void {
    this.#isOpen = false
    for (const cancel of this.#timers.values()) cancel()
  }

  onChange({ id }: Agent, _: Agent | null, record: AnyNewRecord): void {
    if (record.type === 'agent.state' || record.type === 'agent.launched') this.#look(id)
  }

  #look(id: string, hasWaited = false): void {
    this.#timers.get(id)?.()
    this.#timers.delete(id)
    const found = this.#isOpen ? this.#found(id) : null
    if (found === null) return
    const isSettled = found.loss === 'now' || (hasWaited && !this.#parts.isMoving(id))
    if (!isSettled)
      return void this.#timers.set(
        id,
        after(graceMs, () => this.#look(id, true)),
      )
    this.#report(found).catch((cause: unknown) => this.#parts.onTrouble(cause))
  }

  /** The daemon that ended it with its task died before it could say so: what looks like a crash is none. */
  #leaveDown(id: string): void {
    const { supervisor } = this.#parts
    if (supervisor.get(id)?.state !== 'crashed') return
    supervisor.down(id, 0).catch((cause: unknown) => this.#parts.onTrouble(cause))
  }

  #found(id: string) {
    const agent = this.#parts.supervisor.get(id)
    const task = this.#parts.tasks.of(id)
    const member = task?.members.find((one) => one.agent.id === id)
    if (agent === null || task === null || member === undefined) return null
    const loss = lossOf(task, agent)
    return loss === null ? null : { agent, task, member, loss }
  }

  async #report({ agent, task, member }: { agent: Agent; task: Task; member: TaskMember }): Promise<void> {
    const { rooms } = this.#parts
    const { project } = task
    const text = lossText(task, member, agent)
    const type = member.role === 'lead' ? 'lead-lost' : 'member-lost'
    const told = await Promise.all(this.#concerned(task, member).map((to) => this.#tell(to, type, agent, text)))
    const name = roomOf(task.name)
    if (rooms.has(roomKey(project, name)))
      await rooms.post({ project, name, author: actor, text, mentions: [], id: `post_${lossId(agent)}` })
    // The lead looks after the others, and nobody after the lead.
    const isForPerson = member.role === 'lead' || told.length === 0
    if (isForPerson && (told.length === 0 || told.includes(true))) this.#parts.tellPeople(project, text)
  }

  /** The lead, or of a lead all others. */
  #concerned(task: Task, gone: TaskMember): AgentRef[] {
    const others = task.members.filter(({ agent }) => agent.id !== gone.agent.id)
    return others.filter(({ role }) => gone.role === 'lead' || role === 'lead').map(({ agent }) => agent)
  }

  /** Whether it was not told before. */
  async #tell(to: AgentRef, type: string, gone: Agent, payload: string): Promise<boolean> {
    const id = `evt_${lossId(gone)}_${to.id}`
    const event = { id, project: gone.project, type, payload, to, once: false, from: actor }
    return !(await this.#parts.bus.publish(event)).isDuplicate
  }
}
