import type { Task, TaskRole } from '../../contract/task.ts'
import { leadHandle, memberHandle, treeName } from './names.ts'

/** An agent that a task is to have. */
export interface Place {
  handle: string
  role: TaskRole
  driver: string
  /** How its work tree is called; null: it works where the project is. */
  tree: string | null
}

type Shape = Pick<Task, 'name' | 'worktrees'>

/** A lead and so many agents: the lead with the first driver, the others with one after the other. */
export const rosterOf = (task: Shape, agents: number, drivers: readonly string[]): Place[] => {
  const driverOf = (n: number): string => drivers[n % drivers.length] ?? ''
  const members = Array.from({ length: agents }, (_, index) => memberPlace(task, index + 1, driverOf(index)))
  // Where each agent has a work tree, the lead merges their work in that of the task.
  const tree = task.worktrees === 'none' ? null : treeName(task.name, null)
  return [{ handle: leadHandle(task.name), role: 'lead', driver: driverOf(0), tree }, ...members]
}

export const memberPlace = (task: Shape, n: number, driver: string): Place => ({
  handle: memberHandle(task.name, n),
  role: 'member',
  driver,
  tree: task.worktrees === 'none' ? null : treeName(task.name, task.worktrees === 'agent' ? n : null),
})
