import { existsSync } from 'node:fs'
import { isAlive } from '../../contract/agent.ts'
import type { TaskMemberView, TaskView } from '../../contract/routes/tasks.ts'
import type { Task, TaskMember } from '../../contract/task.ts'
import { authorName } from '../inbox/fence.ts'
import { lossOf } from './loss.ts'
import { roomOf } from './names.ts'
import { isOn, leadOf } from './task.ts'
import { dirOf, handoverAt, missingTexts } from './texts.ts'
import type { TaskParts } from './parts.ts'
import { heldView } from '../leases/view.ts'
import { membersOf } from './task-agents.ts'

const mostBlockers = 50

/** A task as it is: `problems` are what could not be done, before what is not as it should be. */
export const taskView = (parts: TaskParts, task: Task, problems: readonly string[] = []): TaskView => {
  const { name, project, root, state, reason, since, createdAt, worktrees } = task
  // The lead, then the others by number.
  const members = task.members.toSorted(
    (one, other) =>
      Number(other.role === 'lead') - Number(one.role === 'lead') ||
      one.agent.handle.localeCompare(other.agent.handle, 'en', { numeric: true }),
  )
  const ids = new Set(parts.tasks.stillAt(task).map(({ agent }) => agent.id))
  return {
    name,
    project,
    root,
    dir: dirOf(task),
    room: roomOf(name),
    state,
    reason,
    since,
    createdAt,
    worktrees,
    members: members.map((member) => memberView(parts, task, member)),
    blockers: blockersOf(parts, task),
    leases: parts.leases
      .held()
      .filter(({ holder }) => holder !== null && ids.has(holder.id))
      .map(heldView),
    handoverAt: handoverAt(task),
    problems: [...problems, ...findProblems(parts, task)],
  }
}

const findProblems = (parts: TaskParts, task: Task): string[] => {
  const problems = task.state === 'done' ? [] : missingTexts(task)
  for (const agent of membersOf(parts, task)) {
    const { handle, state } = agent
    if (lossOf(task, agent) !== null) problems.push(`${handle} is gone (${state}): rein restart ${handle}`)
    else if (!isOn(task) && isAlive(state))
      problems.push(`${handle} runs, but the task is ${task.state}: rein down ${handle}`)
  }
  for (const { agent, worktree } of task.members)
    if (worktree !== null && isOn(task) && !existsSync(worktree))
      problems.push(
        `The work tree of ${agent.handle} is gone (${worktree}): rein task start ${task.name} makes it again.`,
      )
  return problems
}

/** A work tree that was taken back with its task is none. */
const memberView = ({ supervisor }: TaskParts, task: Task, member: TaskMember): TaskMemberView => {
  const { agent, role, worktree, branch } = member
  const known = supervisor.get(agent.id)
  const { driver = null, state = null, since = null, cwd = null } = known ?? {}
  const hasTree = worktree !== null && (isOn(task) || existsSync(worktree))
  const tree = hasTree ? { worktree, branch } : { worktree: null, branch: null }
  return { handle: agent.handle, role, driver, state, since, cwd, ...tree }
}

/** Blockers that the lead has not acknowledged. */
export const blockersOf = ({ bus, tasks }: TaskParts, task: Task): TaskView['blockers'] => {
  const lead = leadOf({ members: tasks.stillAt(task) })
  if (lead === undefined) return []
  const { events } = bus.open(task.project, lead.agent.id, { type: 'blocker', limit: mostBlockers })
  return events.map(({ event: { id, from, at, payload } }) => ({ id, from: authorName(from), at, text: payload }))
}
