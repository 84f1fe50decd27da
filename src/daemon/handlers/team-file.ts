import { existsSync, realpathSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import type { z } from 'zod'
import { type Agent, isAlive } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type * as api from '../../contract/task-api.ts'
import type { TeamView } from '../../contract/task-api-types.ts'
import type { Task } from '../../contract/task.ts'
import type { TeamAgent } from '../../contract/team.ts'
import { roomOf } from '../../tasks/names.ts'
import { isOn } from '../../tasks/task.ts'
import { makeTree, treeFor } from '../../tasks/worktrees.ts'
import { teamFileOf } from '../../team/hubs.ts'
import type { Services } from '../services.ts'
import { launch, resumeOne } from './agents.ts'
import { projectFor } from './rooms.ts'
import { endAgents, type Launch, rosterIn, startMembers, wordsOf } from './task-agents.ts'
import { make, sayGoOn } from './tasks.ts'

interface Wanted extends TeamAgent {
  handle: string
  agent: Agent | null
}

interface Team {
  file: string
  project: string
  /** The top of the team: where its file is. */
  root: string
  wanted: Wanted[]
}

type Did = TeamView['agents'][number]['did']
type Outcome = Pick<TeamView['agents'][number], 'did' | 'error'>

/** What the file says, as it is now; a file that cannot be understood is an error that names the place. */
const read = async (services: Services, actor: Actor, cwd: string): Promise<Team> => {
  const { agents, problem } = services.team.fileAt(cwd)
  if (problem !== undefined) throw problem
  const file = teamFileOf(cwd)
  if (Object.keys(agents).length === 0)
    throw new ReinError(
      'not_found',
      `${file} names no agents.`,
      'Name one, like [agents.ada], or: rein orchestrate … --save',
    )
  refuseTwoLeads(file, agents)
  const project = await projectFor(services, actor, cwd)
  const known = services.team.agents(project)
  const wanted = Object.entries(agents).map(([handle, agent]) => ({
    handle,
    ...agent,
    agent: known.find((one) => one.handle === handle) ?? null,
  }))
  return { file, project, root: dirname(dirname(file)), wanted }
}

const refuseTwoLeads = (file: string, agents: Record<string, TeamAgent>): void => {
  const leads = new Map<string, string>()
  for (const [handle, { task, role }] of Object.entries(agents)) {
    if (task === undefined || role !== 'lead') continue
    const first = leads.get(task)
    if (first !== undefined)
      throw new ReinError('invalid_config', `${file}: the task ${task} has two leads, ${first} and ${handle}.`)
    leads.set(task, handle)
  }
}

const viewOf = (
  services: Services,
  { file, project, wanted }: Team,
  outcomes: ReadonlyMap<string, Outcome>,
  usualDriver: string,
): TeamView => ({
  file,
  project,
  agents: wanted.map(({ handle, driver, task = null }) => {
    const agent = services.team.agents(project).find((one) => one.handle === handle)
    const { did, error } = outcomes.get(handle) ?? { did: 'nothing' as Did, error: null }
    return { handle, driver: agent?.driver ?? driver ?? usualDriver, task, state: agent?.state ?? null, did, error }
  }),
})

export const status = async (services: Services, actor: Actor, { cwd }: { cwd: string }): Promise<TeamView> =>
  viewOf(services, await read(services, actor, cwd), new Map(), services.settings['agents.driver'])

/** Who runs stays; who ran goes on in its conversation; the others begin. */
export const up = async (
  services: Services,
  actor: Actor,
  { cwd, launch: how }: z.infer<typeof api.TeamUpInput>,
): Promise<TeamView> => {
  const team = await read(services, actor, cwd)
  const outcomes = new Map<string, Outcome>()
  const tasks = await openTasks(services, actor, team, outcomes)
  // One after the other: an agent that cannot be started says so, and the next one is.
  for (const one of team.wanted) {
    if (isAlive(one.agent?.state ?? 'stopped') || outcomes.has(one.handle)) continue
    const error = await startOne(services, actor, team, one, tasks.get(one.task ?? '') ?? null, how)
    outcomes.set(one.handle, { did: error === null ? 'started' : 'nothing', error })
  }
  await sayAgain(services, team, tasks)
  return viewOf(services, team, outcomes, how.drivers[0] ?? '')
}

/** Whoever leads a task that goes on has to know that it does. */
const sayAgain = async (services: Services, { wanted }: Team, tasks: ReadonlyMap<string, Task>): Promise<void> => {
  for (const [name, task] of tasks) {
    const cameBack = wanted.filter(({ task: of, agent }) => of === name && agent !== null && !isAlive(agent.state))
    if (cameBack.length > 0) await sayGoOn(services, task, 'was started again')
  }
}

/** The tasks of those who are to be started, running and with their rooms; what is wrong with one is wrong with its agents. */
const openTasks = async (
  services: Services,
  actor: Actor,
  { project, root, wanted }: Team,
  outcomes: Map<string, Outcome>,
): Promise<Map<string, Task>> => {
  const tasks = new Map<string, Task>()
  for (const name of new Set(wanted.map(({ task }) => task).filter((task) => task !== undefined))) {
    const own = wanted.filter(({ task }) => task === name)
    try {
      tasks.set(name, await openTask(services, actor, project, name, root))
    } catch (cause) {
      for (const { handle } of own) outcomes.set(handle, { did: 'nothing', error: wordsOf(cause) })
    }
  }
  return tasks
}

const openTask = (services: Services, actor: Actor, project: string, name: string, cwd: string): Promise<Task> =>
  services.tasks.exclusively(project, name, 'team up', async () => {
    const task = services.tasks.find(project, name) ?? (await make(services, actor, project, { name, cwd }))
    await services.rooms.create(project, roomOf(task.name), `The task ${task.name}`, actor)
    return services.tasks.move(task, 'start', null, actor)
  })

/** What went wrong, if something did. */
const startOne = async (
  services: Services,
  actor: Actor,
  team: Team,
  one: Wanted,
  task: Task | null,
  how: Launch,
): Promise<string | null> => {
  try {
    refuseOtherCli(one)
    if (one.agent !== null && one.agent.request !== null) return (await resumeOne(services, one.agent, how.env)).error
    if (task !== null) return await startForTask(services, actor, team, one, task, how)
    await startAlone(services, team, one, how)
    return null
  } catch (cause) {
    return wordsOf(cause)
  }
}

const refuseOtherCli = ({ handle, driver, agent }: Wanted): void => {
  if (agent !== null && driver !== undefined && driver !== agent.driver)
    throw new ReinError(
      'handle_taken',
      `${handle} is an agent of ${agent.driver}.`,
      'Give it another handle in the file.',
    )
}

const startForTask = async (
  services: Services,
  actor: Actor,
  { root, wanted }: Team,
  one: Wanted,
  task: Task,
  how: Launch,
): Promise<string | null> => {
  const mateOf = ({ handle, role = 'member', driver = how.drivers[0] ?? '' }: Wanted) => ({ handle, role, driver })
  const { prompt, model, host, worktree: tree = null } = one
  const member = { ...mateOf(one), prompt, model, host, tree, cwd: one.cwd && insideOf(root, one.handle, one.cwd) }
  const mates = wanted.filter(({ task: of }) => of === one.task).map(mateOf)
  const others = rosterIn(services, task).filter(({ handle }) => mates.every((mate) => mate.handle !== handle))
  const team = { task, roster: [...mates, ...others], launch: how, actor }
  const [problem = null] = await startMembers(services, [member], team)
  return problem
}

const startAlone = async (services: Services, { root }: Team, one: Wanted, how: Launch): Promise<void> => {
  const { handle, driver = how.drivers[0] ?? '', host = how.host, model = how.models[driver], prompt } = one
  const { permissionMode, autoApprove, policy, env } = how
  const cwd = await placeOf(services, root, one)
  const request = { cwd, prompt, model, permissionMode, autoApprove, policy, env: {}, args: [] }
  await launch(services, { handle, driver, host, request, env })
}

const placeOf = async ({ settings }: Services, root: string, one: Wanted): Promise<string> => {
  const { handle, cwd, worktree } = one
  if (worktree === undefined) return insideOf(root, handle, cwd ?? '')
  const tree = await treeFor(root, worktree, settings['tasks.worktrees'])
  await makeTree(root, tree)
  return tree.path
}

/** The file comes with the project, and does not lead elsewhere. */
const insideOf = (root: string, handle: string, cwd: string): string => {
  const top = realpathSync(root)
  const wanted = resolve(top, cwd)
  if (!existsSync(wanted)) throw new ReinError('not_found', `agents.${handle}.cwd: there is no directory ${wanted}.`)
  const place = realpathSync(wanted)
  const way = relative(top, place)
  if (way === '..' || way.startsWith('../'))
    throw new ReinError('refused', `agents.${handle}.cwd is outside of the project: ${place}.`)
  return place
}

/** Their tasks are stopped first: an agent that ends with its task is not lost. */
export const down = async (services: Services, actor: Actor, { cwd }: { cwd: string }): Promise<TeamView> => {
  const team = await read(services, actor, cwd)
  for (const name of new Set(team.wanted.map(({ task }) => task))) {
    const task = name === undefined ? null : services.tasks.find(team.project, name)
    if (task !== null && isOn(task)) await services.tasks.move(task, 'stop', 'rein team down', actor)
  }
  const agents = team.wanted.flatMap(({ agent }) => (agent === null || agent.state === 'stopped' ? [] : [agent]))
  const outcomes = new Map<string, Outcome>()
  for (const agent of agents) {
    const [error = null] = await endAgents(services, [agent])
    outcomes.set(agent.handle, { did: error === null ? 'stopped' : 'nothing', error })
  }
  return viewOf(services, team, outcomes, services.settings['agents.driver'])
}
