import type { z } from 'zod'
import { isAlive } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type { Here } from '../../contract/routes/fields.ts'
import type { NewTaskInput, StartTaskInput, StopTaskInput, TaskInput, TaskView } from '../../contract/routes/tasks.ts'
import type { Task } from '../../contract/task.ts'
import { findDriver } from '../../drivers/registry.ts'
import { memberPlace } from './roster.ts'
import { stateAfter } from './task.ts'
import { writeTexts } from './texts.ts'
import { checkRepository } from './worktrees.ts'
import type { TaskParts } from './parts.ts'
import type { Placed } from '../../agents/identity/finder.ts'
import { findTop } from '../../agents/projects/top.ts'
import { bringBack, endAgents, type Launch, membersOf, rosterIn, startMembers, takeTreesBack } from './task-agents.ts'
import { sayGoOn } from './task-messages.ts'
import { blockersOf, taskView } from './task-view.ts'

type Given<T extends z.ZodType> = z.infer<T>
type Named = Given<typeof TaskInput>

export const create = async (parts: TaskParts, actor: Actor, input: Given<typeof NewTaskInput>): Promise<TaskView> => {
  const project = await parts.finder.project(actor, input)
  const { name } = input
  return parts.tasks.exclusively(project, name, 'new', async () => {
    const known = parts.tasks.find(project, name)
    if (known !== null)
      throw new ReinError(
        'refused',
        `There is a task ${known.name} already (${known.state}).`,
        `See it: rein task show ${known.name}`,
      )
    return taskView(parts, await make(parts, actor, project, await parts.finder.placed(input)))
  })
}

/** Its texts first: where they cannot be written there is no task. */
export const make = async (
  { tasks }: TaskParts,
  actor: Actor,
  project: string,
  { name, cwd, spec, prompt, worktrees = 'none' }: Placed<Given<typeof NewTaskInput>>,
): Promise<Task> => {
  const root = await findTop(cwd)
  if (worktrees !== 'none') await checkRepository(root)
  writeTexts({ root, name }, { spec, prompt })
  return tasks.create({ project, name, root, worktrees }, actor)
}

export const list = async (parts: TaskParts, actor: Actor, here: Here): Promise<TaskView[]> => {
  const project = await parts.finder.project(actor, here)
  return parts.tasks.all(project).map((task) => taskView(parts, task))
}

export const show = async (parts: TaskParts, actor: Actor, { name, ...here }: Named): Promise<TaskView> =>
  taskView(parts, parts.tasks.get(await parts.finder.project(actor, here), name))

/** One change of a task at a time; what could not be done is in the answer. */
export const changing = async (
  parts: TaskParts,
  actor: Actor,
  { name, ...here }: Named,
  what: string,
  work: (task: Task) => Promise<string[]>,
): Promise<TaskView> => {
  const project = await parts.finder.project(actor, here)
  return parts.tasks.exclusively(project, name, what, async () => {
    const problems = await work(parts.tasks.get(project, name))
    return taskView(parts, parts.tasks.get(project, name), problems)
  })
}

/** Its agents again, each in its conversation; one if it never had any. */
export const start = (parts: TaskParts, actor: Actor, input: Given<typeof StartTaskInput>): Promise<TaskView> =>
  changing(parts, actor, input, 'start', async (task) => {
    stateAfter(task, 'start')
    const { launch } = input
    launch.drivers.forEach(findDriver)
    writeTexts(task, {})
    const running = await parts.tasks.move(task, 'start', null, actor)
    if (task.members.length === 0) return startFirst(parts, actor, running, launch)
    const wasDown = membersOf(parts, task).filter(({ state }) => !isAlive(state))
    const problems = await bringBack(parts, { task: running, roster: rosterIn(parts, task), launch, actor })
    if (wasDown.length > 0) await sayGoOn(parts, running, 'was started again')
    return problems
  })

/** A task without a running agent does not run. */
const startFirst = async (parts: TaskParts, actor: Actor, task: Task, launch: Launch): Promise<string[]> => {
  const only = memberPlace(task, 1, launch.drivers[0] ?? '')
  const problems = await startMembers(parts, [only], { task, roster: [only], launch, actor })
  const [problem] = problems
  if (problem !== undefined) await parts.tasks.move(task, 'stop', problem, actor)
  return problems
}

export const stop = (parts: TaskParts, actor: Actor, input: Given<typeof StopTaskInput>): Promise<TaskView> =>
  changing(parts, actor, input, 'stop', async (task) => {
    // First of all: an agent that is stopped with its task is not lost.
    await parts.tasks.move(task, 'stop', null, actor)
    return takeDown(parts, actor, task, input.force)
  })

export const finish = (parts: TaskParts, actor: Actor, input: Given<typeof StopTaskInput>): Promise<TaskView> =>
  changing(parts, actor, input, 'done', async (task) => {
    if (!input.force) refuseBlocked(parts, task)
    await parts.tasks.move(task, 'done', null, actor)
    const problems = await takeDown(parts, actor, task, input.force)
    // The task is over: open events would wake its agents again and again.
    for (const { agent } of parts.tasks.stillAt(task)) await parts.bus.ack(task.project, agent.id, 'all', actor)
    return problems
  })

const takeDown = async (parts: TaskParts, actor: Actor, task: Task, isForced: boolean): Promise<string[]> => {
  const problems = await endAgents(parts, membersOf(parts, task), actor)
  for (const { agent } of parts.tasks.stillAt(task)) await parts.leases.releaseAll(agent.id, actor)
  return [...problems, ...(await takeTreesBack(parts, task, isForced))]
}

const refuseBlocked = (parts: TaskParts, task: Task): void => {
  const [first, ...more] = blockersOf(parts, task)
  if (first === undefined) return
  const rest = more.length === 0 ? '' : `, and ${more.length} more`
  throw new ReinError(
    'refused',
    `${task.name} has an open blocker: ${first.id} from ${first.from}${rest}.`,
    `Read it: rein bus read ${first.id}; when it is dealt with: rein bus ack ${first.id}; else: --force`,
  )
}
