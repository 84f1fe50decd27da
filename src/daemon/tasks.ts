import type { Supervisor } from '../agents/supervisor.ts'
import type { Agent } from '../contract/agent.ts'
import type { AnyNewRecord } from '../contract/record.ts'
import { reminder } from '../features/tasks/prompts.ts'
import { Tasks } from '../features/tasks/tasks.ts'
import { addHandover } from '../features/tasks/texts.ts'
import type { ServiceParts } from './services.ts'
import { TaskLosses } from './task-losses.ts'
import type { TeamServices } from './team.ts'

interface TaskParts extends ServiceParts, Pick<TeamServices, 'rooms' | 'bus'> {
  supervisor: Supervisor
  append: (records: AnyNewRecord[]) => Promise<number[]>
  now: () => number
  newId: (prefix: string) => string
  isMoving: (agent: string) => boolean
  tellPeople: (project: string, text: string) => void
}

export interface TaskServices {
  tasks: Tasks
  losses: TaskLosses
  handovers: Handovers
}

/** What a task has to do with an agent whose context is full. */
export interface Handovers {
  /** What it wrote for itself is kept with its task, too; what goes wrong there is told in the log. */
  keep(agent: Agent, text: string): Promise<void>
  /** What its fresh conversation has to know of the task; null for one without. */
  reminder(agent: Agent): string | null
}

export const composeTasks = (parts: TaskParts): TaskServices => {
  const { append, reader, now, newId, journal, supervisor, rooms, bus, isMoving, tellPeople } = parts
  const onTrouble = (cause: unknown): void => journal.write('trouble', { where: 'tasks', reason: String(cause) })
  const tasks = new Tasks({ append, reader, now, newId })
  const losses = new TaskLosses({ tasks, supervisor, rooms, bus, isMoving, tellPeople, onTrouble })
  return { tasks, losses, handovers: handoversOf(tasks, now, onTrouble) }
}

const handoversOf = (tasks: Tasks, now: () => number, onTrouble: (cause: unknown) => void): Handovers => ({
  keep: async ({ id, handle }, text) => {
    const task = tasks.of(id)
    if (task !== null) await addHandover(task, handle, text, now()).catch(onTrouble)
  },
  reminder: ({ id, handle }) => {
    const task = tasks.of(id)
    const member = task?.members.find(({ agent }) => agent.id === id)
    return task === null || member === undefined ? null : reminder(task, { handle, role: member.role })
  },
})
