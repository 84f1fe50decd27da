import { ReinError } from '../../contract/errors.ts'
import type { AnyRecord } from '../../contract/record.ts'
import type { Task, TaskMember, TaskState } from '../../contract/task.ts'

type TaskRecord = Extract<AnyRecord, { type: `task.${string}` }>
export const isTaskRecord = (record: AnyRecord): record is TaskRecord => record.type.startsWith('task.')

export const taskId = ({ type, body }: TaskRecord): string => (type === 'task.created' ? body.task.id : body.task)

/** The task after one more record: the only place where its state changes. */
export const evolveTask = (task: Task | undefined, record: TaskRecord): Task | undefined => {
  if (record.type === 'task.created') return task ?? record.body.task
  if (task === undefined) return undefined
  switch (record.type) {
    case 'task.state':
      return { ...task, state: record.body.state, reason: record.body.reason, since: record.at }
    case 'task.joined':
      return { ...task, members: [...others(task, record.body.member.agent.id), record.body.member] }
    case 'task.left':
      return { ...task, members: others(task, record.body.agent) }
    default:
      return record satisfies never
  }
}

const others = ({ members }: Task, agent: string): TaskMember[] => members.filter((one) => one.agent.id !== agent)

export type TaskAction = 'start' | 'pause' | 'unpause' | 'stop' | 'done'

/** Where each action leads; what is missing is refused. Most may be said again, for what did not work the first time. */
const moves: Record<TaskState, Partial<Record<TaskAction, TaskState>>> = {
  new: { start: 'running', stop: 'stopped', done: 'done' },
  running: { start: 'running', pause: 'paused', unpause: 'running', stop: 'stopped', done: 'done' },
  paused: { pause: 'paused', unpause: 'running', stop: 'stopped', done: 'done' },
  stopped: { start: 'running', stop: 'stopped', done: 'done' },
  done: { done: 'done' },
}

const hints: Record<TaskState, (name: string) => string> = {
  new: (name) => `Start it: rein task start ${name}`,
  running: (name) => `See how it is: rein task show ${name}`,
  paused: (name) => `Let it go on: rein task resume ${name}`,
  stopped: (name) => `Start it again: rein task start ${name}`,
  done: (name) => `What is left to do is another task: rein task new ${name.slice(0, 59)}-more`,
}

/** The state after an action, if it is possible now. */
export const stateAfter = ({ name, state }: Pick<Task, 'name' | 'state'>, action: TaskAction): TaskState => {
  const next = moves[state][action]
  if (next !== undefined) return next
  throw new ReinError('refused', `${name} is ${state}: "${action}" is not possible.`, hints[state](name))
}

export const leadOf = ({ members }: Pick<Task, 'members'>): TaskMember | undefined =>
  members.find(({ role }) => role === 'lead')

/** Agents are at work on it, or would be. */
export const isOn = ({ state }: Pick<Task, 'state'>): boolean => state === 'running' || state === 'paused'
