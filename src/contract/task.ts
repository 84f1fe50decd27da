import { z } from 'zod'
import { taskPattern } from './handle.ts'
import { AgentRef } from './identity.ts'
import { defineRecords } from './record-kind.ts'

export const TaskName = z.string().regex(taskPattern)

export const taskStates = ['new', 'running', 'paused', 'stopped', 'done'] as const
export const TaskState = z.enum(taskStates)
export type TaskState = z.infer<typeof TaskState>

/** The role of an agent in its task. */
export const TaskRole = z.enum(['lead', 'member'])
export type TaskRole = z.infer<typeof TaskRole>

/** One agent's place in a task: where it works, and how it came there. */
export const TaskMember = z.object({
  agent: AgentRef,
  role: TaskRole,
  /** A git work tree that was made for it; null: it works in the project's own. */
  worktree: z.string().nullable(),
  branch: z.string().nullable(),
})
export type TaskMember = z.infer<typeof TaskMember>

/** A named piece of work of one project. Its texts are in `.rein/tasks/<name>/`; what became of it is on the log. */
export const Task = z.object({
  id: z.string(),
  project: z.string(),
  name: TaskName,
  /** The top of the project's work tree. */
  root: z.string(),
  state: TaskState,
  /** The reason for that state; null if none was given. */
  reason: z.string().nullable(),
  members: z.array(TaskMember),
  /** One work tree for the task, one for each agent, or none. */
  worktrees: z.enum(['none', 'task', 'agent']),
  createdAt: z.number(),
  since: z.number(),
})
export type Task = z.infer<typeof Task>

/** `project/name`, as for rooms. */
export const taskKey = (project: string, name: string): string => `${project}/${name}`

/** Messages of a member to its lead, as events on the bus. */
export const leadMessages = ['blocker', 'progress', 'review-request'] as const

export const taskRecords = defineRecords('tasks', {
  'task.created': [1, z.object({ task: Task })],
  'task.state': [1, z.object({ task: z.string(), state: TaskState, reason: z.string().nullable() })],
  'task.joined': [1, z.object({ task: z.string(), member: TaskMember })],
  'task.left': [1, z.object({ task: z.string(), agent: z.string(), reason: z.string() })],
})
