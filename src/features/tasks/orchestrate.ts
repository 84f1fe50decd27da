import type { z } from 'zod'
import { type Agent, isAlive } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type { OrchestrateInput, TaskView } from '../../contract/routes/tasks.ts'
import type { Task } from '../../contract/task.ts'
import { findDriver } from '../../drivers/registry.ts'
import { roomOf } from './names.ts'
import { type Place, rosterOf } from './roster.ts'
import { isOn, leadOf, stateAfter } from './task.ts'
import { writeTexts } from './texts.ts'
import { teamFileOf } from '../team/hubs.ts'
import { saveAgents } from '../team/save.ts'
import type { TaskParts } from './parts.ts'
import { keepTeamTrusted } from '../../agents/launch/untrusted.ts'
import { agentOf, membersOf, rosterIn, startMembers } from './task-agents.ts'
import { sayTo } from '../inbox/own-words.ts'
import { note } from './task-messages.ts'
import { taskView } from './task-view.ts'
import { make } from './handlers.ts'

type Input = z.infer<typeof OrchestrateInput>

/** Starts a task with its room, a lead and its agents. Running agents stay; a second lead is refused. */
export const orchestrate = async (parts: TaskParts, actor: Actor, input: Input): Promise<TaskView> => {
  const { tasks } = parts
  input.launch.drivers.forEach(findDriver)
  const project = await parts.finder.project(actor, input)
  return tasks.exclusively(project, input.name, 'orchestrate', async () => {
    const task = await prepared(parts, actor, project, input)
    const room = roomOf(task.name)
    await parts.rooms.create(project, room, `The task ${task.name}`, actor)
    const running = await tasks.move(task, 'start', null, actor)
    const problems = await startTeam(parts, actor, running, input)
    if (input.save) await saveTeam(parts, task, input)
    return taskView(parts, tasks.get(project, task.name), problems)
  })
}

/** The task as it is wanted, made if there is none; nothing was started yet when something is refused. */
const prepared = async (parts: TaskParts, actor: Actor, project: string, input: Input): Promise<Task> => {
  const task = parts.tasks.find(project, input.name)
  if (task === null) return make(parts, actor, project, await parts.finder.placed(input))
  stateAfter(task, 'start')
  // There is one lead: it gets more agents if there are to be more, and a dead one is replaced when that is wanted.
  const lead = livingLead(parts, task)
  if (lead !== null && (input.takeOver || missing(task, input).length === 0))
    throw new ReinError(
      'refused',
      `${nameOf(lead)} leads the task ${task.name} already.`,
      `See it: rein task show ${task.name}; for more agents: --agents N`,
    )
  const dead = lead === null ? parts.supervisor.get(leadOf(task)?.agent.id ?? '') : null
  if (dead !== null && isOn(task) && !input.takeOver)
    throw new ReinError(
      'refused',
      `${nameOf(dead)} led the task ${task.name}, and is gone.`,
      `To bring it back: rein restart ${dead.handle}; to put another in its place: --take-over`,
    )

  if (input.worktrees !== undefined && input.worktrees !== task.worktrees)
    throw new ReinError(
      'refused',
      `${task.name} was made with the work trees "${task.worktrees}".`,
      'Leave out --worktree.',
    )
  writeTexts(task, input)
  return task
}

/** The lead that there is. */
const livingLead = ({ supervisor }: TaskParts, task: Task): Agent | null => {
  const agent = supervisor.get(leadOf(task)?.agent.id ?? '')
  return agent !== null && isUp(agent) ? agent : null
}

/** It lives, or comes back by itself. */
const isUp = ({ state, until }: Agent): boolean => isAlive(state) || (state === 'crashed' && until !== null)

/** The requested team; an agent that exists keeps its CLI. */
const placesOf = (parts: TaskParts, task: Task, { agents, launch }: Input): Place[] =>
  rosterOf(task, agents, launch.drivers).map((place) => ({
    ...place,
    driver: agentOf(parts, task.project, place.handle)?.driver ?? place.driver,
  }))

/** The requested agents, and the present members besides them. */
const teamOf = (parts: TaskParts, actor: Actor, task: Task, input: Input) => {
  const places = placesOf(parts, task, input)
  const others = rosterIn(parts, task).filter((mate) => !isAmong(places, mate.handle))
  return { task, roster: [...places, ...others], launch: input.launch, actor }
}

const isAmong = (places: readonly Place[], handle: string): boolean => places.some((place) => place.handle === handle)

/** The agents of the team that are new to the task. */
const missing = (task: Task, { agents, launch }: Input): Place[] =>
  rosterOf(task, agents, launch.drivers).filter(({ handle }) =>
    task.members.every(({ agent }) => agent.handle !== handle),
  )

const nameOf = ({ handle, driver, state }: Agent): string => `${handle} (${driver}, ${state})`

/** Members start only when the lead runs. */
const startTeam = async (parts: TaskParts, actor: Actor, task: Task, input: Input): Promise<string[]> => {
  const places = placesOf(parts, task, input)
  const known = livingLead(parts, task)
  if (known !== null) return addMembers(parts, known, missing(task, input), teamOf(parts, actor, task, input))
  // Stopped agents that are no longer requested leave the task.
  const { tasks, supervisor } = parts
  const isLeft = (id: string, handle: string): boolean => {
    const agent = supervisor.get(id)
    return !isAmong(places, handle) && (agent === null || !isUp(agent))
  }
  for (const { agent } of task.members)
    if (isLeft(agent.id, agent.handle)) await tasks.leave(task, agent.id, 'It is not wanted any more.', actor)
  const team = teamOf(parts, actor, tasks.byId(task.id) ?? task, input)
  const [lead, ...members] = places
  const [problem] = await startMembers(parts, lead === undefined ? [] : [lead], team)
  if (problem === undefined) {
    await sayWhoLeads(parts, task)
    return startMembers(parts, members, team)
  }
  // Members that worked on without the lead still do.
  const goesOn = membersOf(parts, team.task).some(isUp)
  if (!goesOn) await parts.tasks.move(task, 'stop', problem, actor)
  const again = `rein orchestrate ${task.name}${goesOn ? ' --take-over' : ''}`
  throw new ReinError('failed', problem, `Fix that, then run: ${again}`)
}

/** The lead began with no word of these. */
const addMembers = async (
  parts: TaskParts,
  lead: Agent,
  places: readonly Place[],
  team: ReturnType<typeof teamOf>,
): Promise<string[]> => {
  const problems = await startMembers(parts, places, team)
  const task = parts.tasks.byId(team.task.id) ?? team.task
  const joined = places.filter(({ handle }) => task.members.some(({ agent }) => agent.handle === handle))
  const names = joined.map(({ handle, driver }) => `${handle} (${driver})`).join(', ')
  const text = `These joined the task ${task.name}: ${names}. Give them their parts.`
  if (names !== '') await sayTo(parts.inbox, lead, note(text))
  return problems
}

/** Agents that were there before the lead have not heard of it. */
const sayWhoLeads = async ({ tasks, supervisor, inbox }: TaskParts, { id }: Task): Promise<void> => {
  const task = tasks.byId(id)
  const lead = task === null ? undefined : leadOf(task)?.agent
  if (task === null || lead === undefined) return
  const text = `${lead.handle} leads the task ${task.name} now; you talk in the room ${roomOf(task.name)}. Tell it what blocks you, how far you are and what is to be reviewed: rein task report blocker|progress|review-request TEXT (tool tell_lead).`
  for (const { agent } of task.members)
    if (agent.id !== lead.id && isAlive(supervisor.get(agent.id)?.state ?? 'stopped'))
      await sayTo(inbox, agent, note(text))
}

const saveTeam = (parts: TaskParts, task: Task, input: Input): Promise<void> => {
  const { root } = task
  const read = () => ({ root, file: teamFileOf(root), agents: parts.team.fileAt(root).agents })
  return keepTeamTrusted(parts, read, () =>
    saveAgents(
      root,
      placesOf(parts, task, input).map(({ handle, role, driver, tree }) => ({
        handle,
        driver,
        host: input.launch.host,
        task: task.name,
        ...(role === 'lead' ? { role } : {}),
        ...(tree === null ? {} : { worktree: tree }),
      })),
    ),
  )
}
