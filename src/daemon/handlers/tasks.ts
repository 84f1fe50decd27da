import type { z } from 'zod'
import { type Agent, isAlive } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor, AgentRef } from '../../contract/identity.ts'
import type * as api from '../../contract/task-api.ts'
import type { TaskView } from '../../contract/task-api-types.ts'
import type { Task } from '../../contract/task.ts'
import type { PublishedView } from '../../contract/team-api-types.ts'
import type { Item } from '../../inbox/receipt.ts'
import { redact } from '../../redact/redact.ts'
import { roomOf } from '../../tasks/names.ts'
import { memberPlace } from '../../tasks/roster.ts'
import { leadOf, stateAfter } from '../../tasks/task.ts'
import { writeTexts } from '../../tasks/texts.ts'
import { checkRepository, topOf } from '../../tasks/worktrees.ts'
import type { Services } from '../services.ts'
import { projectFor } from './rooms.ts'
import { bringBack, endAgents, membersOf, rosterIn, startMembers, takeTreesBack, wordsOf } from './task-agents.ts'
import { blockersOf, taskView } from './task-view.ts'

type Given<T extends z.ZodType> = z.infer<T>
type Named = Given<typeof api.TaskInput>

const daemon = { kind: 'daemon' as const }
/** The type of what is said to an agent whose task is paused. */
const pauseType = 'task-paused'
const pauseLifeMs = 600_000

export const create = async (
  services: Services,
  actor: Actor,
  input: Given<typeof api.NewTaskInput>,
): Promise<TaskView> => {
  const project = await projectFor(services, actor, input.cwd)
  const { name } = input
  return services.tasks.exclusively(project, name, 'new', async () => {
    const known = services.tasks.find(project, name)
    if (known !== null)
      throw new ReinError('refused', `There is a task ${known.name} already (${known.state}).`, seeIt(known))
    return taskView(services, await make(services, actor, project, input))
  })
}

/** Its texts first: where they cannot be written there is no task. */
export const make = async (
  { tasks }: Services,
  actor: Actor,
  project: string,
  { name, cwd, spec, prompt, worktrees = 'none' }: Given<typeof api.NewTaskInput>,
): Promise<Task> => {
  const root = await topOf(cwd)
  if (worktrees !== 'none') await checkRepository(root)
  writeTexts({ root, name }, { spec, prompt })
  return tasks.create({ project, name, root, worktrees }, actor)
}

const seeIt = ({ name }: Task): string => `See it: rein task show ${name}`

export const list = async (services: Services, actor: Actor, { cwd }: { cwd: string }): Promise<TaskView[]> => {
  const project = await projectFor(services, actor, cwd)
  return services.tasks.all(project).map((task) => taskView(services, task))
}

export const show = async (services: Services, actor: Actor, { cwd, name }: Named): Promise<TaskView> =>
  taskView(services, services.tasks.get(await projectFor(services, actor, cwd), name))

/** One change of a task at a time; what could not be done is in the answer. */
const changing = async (
  services: Services,
  actor: Actor,
  { cwd, name }: Named,
  what: string,
  work: (task: Task) => Promise<string[]>,
): Promise<TaskView> => {
  const project = await projectFor(services, actor, cwd)
  return services.tasks.exclusively(project, name, what, async () => {
    const problems = await work(services.tasks.get(project, name))
    return taskView(services, services.tasks.get(project, name), problems)
  })
}

/** Its agents again, each in its conversation; one if it never had any. */
export const start = (services: Services, actor: Actor, input: Given<typeof api.StartTaskInput>): Promise<TaskView> =>
  changing(services, actor, input, 'start', async (task) => {
    stateAfter(task, 'start')
    writeTexts(task, {})
    const running = await services.tasks.move(task, 'start', null, actor)
    const { launch } = input
    const [driver = ''] = launch.drivers
    const only = memberPlace(task, 1, driver)
    if (task.members.length === 0)
      return startMembers(services, [only], { task: running, roster: [only], launch, actor })
    const wasDown = membersOf(services, task).filter(({ state }) => !isAlive(state))
    const problems = await bringBack(services, { task: running, roster: rosterIn(services, task), launch, actor })
    if (wasDown.length > 0) await sayGoOn(services, running, 'was started again')
    return problems
  })

/** Turns may end, and none is begun. One that cannot be paused is named, and the others are. */
export const pause = (services: Services, actor: Actor, input: Given<typeof api.PauseTaskInput>): Promise<TaskView> =>
  changing(services, actor, input, 'pause', async (task) => {
    await services.tasks.move(task, 'pause', null, actor)
    const agents = membersOf(services, task)
    if (!input.now) await Promise.all(agents.filter(isAtWork).map((agent) => sayPaused(services, task, agent)))
    const failed = await Promise.all(agents.map((agent) => pauseOne(services, agent, input.now)))
    return failed.filter((problem) => problem !== null)
  })

const isAtWork = ({ state, isPaused }: Agent): boolean => state === 'working' && !isPaused

const pauseOne = ({ supervisor }: Services, { id, handle }: Agent, isNow: boolean): Promise<string | null> =>
  supervisor.pause(id, isNow).then(
    () => null,
    (cause: unknown) => `${handle} is not paused: ${wordsOf(cause)}`,
  )

const sayPaused = ({ inbox }: Services, { name }: Task, agent: Agent): Promise<unknown> =>
  inbox.accept({
    ...fromRein(agent),
    type: pauseType,
    text: `The task ${name} is paused. Bring what you are at to a state that can be left, and end your turn: you are told when it goes on.`,
    expiresInMs: pauseLifeMs,
  })

/** What Rein itself says to an agent about its task. */
export const fromRein = ({ id, project, handle }: AgentRef) => ({
  agent: { id, project, handle },
  from: 'rein',
  sender: daemon,
  priority: 'high' as const,
})

export const unpause = (services: Services, actor: Actor, input: Named): Promise<TaskView> =>
  changing(services, actor, input, 'unpause', async (task) => {
    const { supervisor, inbox } = services
    const running = await services.tasks.move(task, 'unpause', null, actor)
    const paused = membersOf(services, task).filter(({ isPaused }) => isPaused)
    for (const item of paused.flatMap(({ id }) => inbox.openItems(id)).filter(isPauseNote))
      await inbox.cancel(item, daemon)
    for (const { id } of paused) await supervisor.unpause(id)
    await sayGoOn(services, running, 'is not paused any more')
    return []
  })

const isPauseNote = ({ directive: { sender, type } }: Item): boolean => sender.kind === 'daemon' && type === pauseType

/** To the lead, who knows what comes next for whom; without one to everybody. */
export const sayGoOn = async ({ inbox }: Services, task: Task, what: string): Promise<void> => {
  const lead = leadOf(task)
  const heard = lead === undefined ? task.members : [lead]
  const next =
    lead === undefined ? 'Go on with it.' : `Look how far everybody is (room ${roomOf(task.name)}), and go on.`
  const text = `The task ${task.name} ${what}. ${next}`
  for (const { agent } of heard) await inbox.accept({ ...fromRein(agent), type: 'note', text, expiresInMs: null })
}

export const stop = (services: Services, actor: Actor, input: Given<typeof api.StopTaskInput>): Promise<TaskView> =>
  changing(services, actor, input, 'stop', async (task) => {
    // First of all: an agent that is stopped with its task is not lost.
    await services.tasks.move(task, 'stop', null, actor)
    return takeDown(services, task, input.force)
  })

export const finish = (services: Services, actor: Actor, input: Given<typeof api.StopTaskInput>): Promise<TaskView> =>
  changing(services, actor, input, 'done', async (task) => {
    if (!input.force) refuseBlocked(services, task)
    await services.tasks.move(task, 'done', null, actor)
    const problems = await takeDown(services, task, input.force)
    // Nobody is left who would: it would be brought up again and again.
    for (const { agent } of task.members) await services.bus.ack(task.project, agent.id, 'all', actor)
    return problems
  })

const takeDown = async (services: Services, task: Task, isForced: boolean): Promise<string[]> => {
  const problems = await endAgents(services, membersOf(services, task))
  for (const { agent } of task.members) await services.leases.releaseAll(agent.id, daemon)
  return [...problems, ...(await takeTreesBack(services, task, isForced))]
}

const refuseBlocked = (services: Services, task: Task): void => {
  const [first, ...more] = blockersOf(services, task)
  if (first === undefined) return
  const rest = more.length === 0 ? '' : `, and ${more.length} more`
  throw new ReinError(
    'refused',
    `${task.name} has an open blocker: ${first.id} from ${first.from}${rest}.`,
    `Read it: rein bus read ${first.id}; when it is dealt with: rein bus ack ${first.id}; else: --force`,
  )
}

/** From an agent to the lead of its task. */
export const tellLead = async (
  services: Services,
  actor: Actor,
  { kind, text }: Given<typeof api.TellLeadInput>,
): Promise<PublishedView> => {
  const lead = leadFor(services, actor)
  const { text: payload } = redact(text)
  const event = { project: lead.project, type: kind, payload, to: lead, once: false, from: actor }
  const { event: published, isDuplicate } = await services.bus.publish(event)
  const { id, priority } = published
  return { id, type: kind, priority, recipients: [lead.handle], duplicate: isDuplicate }
}

const leadFor = ({ tasks }: Services, actor: Actor): AgentRef => {
  if (actor.kind !== 'agent')
    throw new ReinError('usage', 'Only an agent has a lead.', 'To tell one something: rein tell HANDLE TEXT')
  const task = tasks.of(actor.id)
  if (task === null) throw new ReinError('refused', `${actor.handle} is at no task.`, 'Ask the person in charge.')
  const lead = leadOf(task)?.agent
  const hint = `Say it to the person in charge: rein chat send ${roomOf(task.name)} '@user …'`
  if (lead === undefined) throw new ReinError('refused', `The task ${task.name} has no lead.`, hint)
  if (lead.id === actor.id) throw new ReinError('refused', `You are the lead of ${task.name}.`, hint)
  return lead
}
