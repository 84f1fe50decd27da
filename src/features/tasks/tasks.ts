import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody, type RecordType } from '../../contract/record.ts'
import { type Task, type TaskMember, type TaskState, taskKey } from '../../contract/task.ts'
import type { Database } from '../../base/store/sqlite.ts'
import { hintNearest } from '../../base/util/nearest.ts'
import { isMixedUp } from './names.ts'
import { allTasks, findTask, findTaskById, taskOfAgent } from './store.ts'
import { leadOf, type TaskAction, stateAfter } from './task.ts'

interface TaskPorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  reader: Database
  now(): number
  newId(prefix: string): string
}

type NewTask = Pick<Task, 'project' | 'name' | 'root' | 'worktrees'>

/** The pieces of work of all projects: what is written down of them, and nothing else. */
export class Tasks {
  readonly #ports: TaskPorts
  readonly #busy = new Set<string>()

  constructor(ports: TaskPorts) {
    this.#ports = ports
  }

  /** The tasks of one project; null: of all projects. */
  all(project: string | null): Task[] {
    return allTasks(this.#ports.reader, project)
  }

  find(project: string, name: string): Task | null {
    return findTask(this.#ports.reader, project, name) ?? null
  }

  get(project: string, name: string): Task {
    const task = this.find(project, name)
    if (task !== null) return task
    const names = this.all(project).map((one) => one.name)
    const hint = hintNearest(name, names, 'List them: rein task list')
    throw new ReinError('unknown_task', `There is no task ${JSON.stringify(name)} here.`, hint)
  }

  byId(id: string): Task | null {
    return findTaskById(this.#ports.reader, id) ?? null
  }

  /** The one that an agent is at. */
  of(agent: string): Task | null {
    return taskOfAgent(this.#ports.reader, agent) ?? null
  }

  /** Its members but for those who went on to another one when it was done. */
  stillAt(task: Task): TaskMember[] {
    return task.members.filter(({ agent }) => (this.of(agent.id)?.id ?? task.id) === task.id)
  }

  async create(given: NewTask, actor: Actor): Promise<Task> {
    // Also one that is done: its agents are still known, and its work trees may be kept.
    const other = this.all(given.project).find((one) => isMixedUp(one.name, given.name))
    if (other !== undefined)
      throw new ReinError(
        'refused',
        `${given.name} and ${other.name} would be mixed up: agents are numbered.`,
        'Choose another name.',
      )

    const at = this.#ports.now()
    const id = this.#ports.newId('tsk')
    const task: Task = { ...given, id, state: 'new', reason: null, members: [], createdAt: at, since: at }
    // Named after its task: of two at the same time the second is the same record.
    await this.#append('task.created', { task }, task, actor, {
      id: `task:${taskKey(given.project, given.name.toLowerCase())}`,
    })
    const made = findTask(this.#ports.reader, given.project, given.name)
    if (made?.id === id) return made
    throw new ReinError('refused', `There is a task ${made?.name ?? given.name} already.`, 'Choose another name.')
  }

  /** Applies an action to a task; refuses one that its state does not allow. */
  async move(task: Task, action: TaskAction, reason: string | null, actor: Actor): Promise<Task> {
    const state: TaskState = stateAfter(task, action)
    if (state !== task.state || reason !== task.reason)
      await this.#append('task.state', { task: task.id, state, reason }, task, actor)
    return this.#again(task)
  }

  /** An agent has at most one task, and a task one lead. */
  async join(task: Task, member: TaskMember, actor: Actor): Promise<void> {
    const other = this.of(member.agent.id)
    if (other !== null && other.id !== task.id)
      throw new ReinError('refused', `${member.agent.handle} is at the task ${other.name}.`, 'An agent has one task.')
    const lead = leadOf(this.#again(task))?.agent
    if (member.role === 'lead' && lead !== undefined && lead.id !== member.agent.id)
      throw new ReinError('refused', `${lead.handle} leads the task ${task.name}.`, 'A task has one lead.')
    await this.#append('task.joined', { task: task.id, member }, task, actor, { agent: member.agent.id })
  }

  async leave(task: Task, agent: string, reason: string, actor: Actor): Promise<void> {
    await this.#append('task.left', { task: task.id, agent, reason }, task, actor, { agent })
  }

  /** Runs one change of a task at a time: a second one is refused, with the name of the first. */
  async exclusively<T>(project: string, name: string, what: string, work: () => Promise<T>): Promise<T> {
    const key = taskKey(project, name.toLowerCase())
    if (this.#busy.has(key))
      throw new ReinError('refused', `${name} is being changed just now: "${what}" has to wait.`, 'Try again.')
    this.#busy.add(key)
    try {
      return await work()
    } finally {
      this.#busy.delete(key)
    }
  }

  #again({ id }: Task): Task {
    const task = this.byId(id)
    if (task === null) throw new ReinError('failed', `The task ${id} is gone.`)
    return task
  }

  async #append<T extends Extract<RecordType, `task.${string}`>>(
    type: T,
    body: RecordBody<T>,
    { project }: Pick<Task, 'project'>,
    actor: Actor,
    more: { id?: string; agent?: string } = {},
  ): Promise<void> {
    const id = more.id ?? this.#ports.newId('rec')
    const context = { id, at: this.#ports.now(), actor, agent: more.agent ?? null, project }
    await this.#ports.append([newRecord(type, body, context) as AnyNewRecord])
  }
}
