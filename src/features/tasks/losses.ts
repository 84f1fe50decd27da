import type { Supervisor } from '../../agents/supervisor.ts'
import { byRein } from '../../contract/identity.ts'
import type { Task } from '../../contract/task.ts'
import { roomKey } from '../../contract/team.ts'
import { lossId, lossOf, lossText } from './loss.ts'
import { roomOf } from './names.ts'
import { isOn } from './task.ts'
import type { Tasks } from './tasks.ts'
import type { Bus } from '../team/bus/bus.ts'
import type { Rooms } from '../team/rooms/rooms.ts'
import type { AgentWatcher } from '../../agents/agent-events.ts'
import { StoppedForGood } from '../../agents/state/stopped-agents.ts'

export interface LossParts {
  tasks: Tasks
  supervisor: Supervisor
  team: () => { rooms: Rooms; bus: Bus }
  /** It is stopped only to go on elsewhere. */
  isMoving: (agent: string) => boolean
  tellPeople: (project: string, text: string) => void
  onTrouble: (cause: unknown) => void
}

/** An agent of a task that is gone is reported, not just missing: to its lead and in the room; a lead to a person. */
export class TaskLosses implements AgentWatcher {
  readonly #parts: LossParts
  readonly #stopped: StoppedForGood

  constructor(parts: LossParts) {
    this.#parts = parts
    const { isMoving, onTrouble } = parts
    this.#stopped = new StoppedForGood({
      lossOf: (id) => this.#found(id)?.loss ?? null,
      isMoving,
      onGone: (id) => this.#report(id),
      onTrouble,
    })
  }

  /** Reports losses that an earlier daemon could not report; reporting twice is harmless. */
  start(): void {
    const { tasks, supervisor, onTrouble } = this.#parts
    const idsOf = (those: Task[]): string[] => those.flatMap((task) => tasks.stillAt(task)).map(({ agent }) => agent.id)
    const all = tasks.all(null)
    this.#stopped.start(idsOf(all.filter(isOn)))
    // The daemon that ended it with its task died before it could say so: what looks like a crash is none.
    for (const id of idsOf(all.filter((task) => !isOn(task))))
      if (supervisor.get(id)?.state === 'crashed') supervisor.agent(id).stop(0, byRein).catch(onTrouble)
  }

  stop(): void {
    this.#stopped.stop()
  }

  onChange(...news: Parameters<StoppedForGood['onChange']>): void {
    this.#stopped.onChange(...news)
  }

  #found(id: string) {
    const agent = this.#parts.supervisor.get(id)
    const task = this.#parts.tasks.of(id)
    const member = task?.members.find((one) => one.agent.id === id)
    if (agent === null || task === null || member === undefined) return null
    const loss = lossOf(task, agent)
    return loss === null ? null : { agent, task, member, loss }
  }

  async #report(id: string): Promise<void> {
    const found = this.#found(id)
    if (found === null) return
    const { agent, task, member } = found
    const { rooms, bus } = this.#parts.team()
    const { project } = task
    const text = lossText(task, member, agent)
    const type = member.role === 'lead' ? 'lead-lost' : 'member-lost'
    // The lead is told of a member, all others of a lead.
    const others = task.members.filter((one) => one.agent.id !== id && (member.role === 'lead' || one.role === 'lead'))
    const told = await Promise.all(
      others.map(async ({ agent: to }) => {
        const eventId = `evt_${lossId(agent)}_${to.id}`
        const event = { id: eventId, project: agent.project, type, payload: text, to, once: false, from: byRein }
        return !(await bus.publish(event)).isDuplicate
      }),
    )
    const name = roomOf(task.name)
    if (rooms.has(roomKey(project, name)))
      await rooms.post({ project, name, author: byRein, text, mentions: [], id: `post_${lossId(agent)}` })
    // The lead looks after the members; the lead itself needs a person.
    const isForPerson = member.role === 'lead' || told.length === 0
    if (isForPerson && (told.length === 0 || told.includes(true))) this.#parts.tellPeople(project, text)
  }
}
