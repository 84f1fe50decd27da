import { dirname } from 'node:path'
import type { Agent } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type { TeamView } from '../../contract/routes/tasks.ts'
import { mostAgents } from '../../contract/task-limits.ts'
import type { TeamAgent } from '../../contract/team.ts'
import { isOn } from './task.ts'
import { teamFileOf } from '../team/hubs.ts'
import { several } from '../../base/util/several.ts'
import type { TaskParts } from './parts.ts'
import { atOnce, endAgents, membersOf, describeFailure } from './task-agents.ts'

export interface Wanted extends TeamAgent {
  handle: string
  agent: Agent | null
}

export interface Team {
  file: string
  project: string
  /** The top of the team: where its file is. */
  root: string
  wanted: Wanted[]
}

type Did = TeamView['agents'][number]['did']
export type Outcome = Pick<TeamView['agents'][number], 'did' | 'error'>

/** Reads the team file; an invalid one is an error that names line and column. */
export const read = async (parts: TaskParts, actor: Actor, cwd: string): Promise<Team> => {
  const { agents, problem } = parts.team.fileAt(cwd)
  if (problem !== undefined) throw problem
  const file = teamFileOf(cwd)
  if (Object.keys(agents).length === 0)
    throw new ReinError(
      'not_found',
      `${file} names no agents.`,
      'Name one, like [agents.ada], or: rein orchestrate … --save',
    )
  // A file that comes with a repository starts no more than a person could at once.
  const count = Object.keys(agents).length
  if (count > mostAgents)
    throw new ReinError('invalid_config', `${file} names ${count} agents; ${mostAgents} are the most.`)

  const project = await parts.finder.project(actor, cwd)
  const known = parts.team.agents(project)
  // Names of tasks that differ only in case are the same: the first spelling counts.
  const names = Object.values(agents).flatMap(({ task }) => task ?? [])
  const spellTask = (task: string) => names.find((name) => name.toLowerCase() === task.toLowerCase()) ?? task
  const wanted = Object.entries(agents).map(([handle, agent]) => ({
    handle,
    ...agent,
    ...(agent.task === undefined ? {} : { task: spellTask(agent.task) }),
    agent: known.find((one) => one.handle === handle) ?? null,
  }))
  const leads = new Map<string, string>()
  for (const { handle, task, role } of wanted) {
    if (task === undefined || role !== 'lead') continue
    const first = leads.get(task)
    if (first !== undefined)
      throw new ReinError('invalid_config', `${file}: the task ${task} has two leads, ${first} and ${handle}.`)
    leads.set(task, handle)
  }

  return { file, project, root: dirname(dirname(file)), wanted }
}

export const viewOf = (
  parts: TaskParts,
  { file, project, wanted }: Team,
  outcomes: ReadonlyMap<string, Outcome>,
  usualDriver: string,
): TeamView => ({
  file,
  project,
  agents: wanted.map(({ handle, driver, task = null }) => {
    const agent = parts.team.agents(project).find((one) => one.handle === handle)
    const { did, error } = outcomes.get(handle) ?? { did: 'nothing' as Did, error: null }
    return { handle, driver: agent?.driver ?? driver ?? usualDriver, task, state: agent?.state ?? null, did, error }
  }),
})

export const status = async (parts: TaskParts, actor: Actor, { cwd }: { cwd: string }): Promise<TeamView> =>
  viewOf(parts, await read(parts, actor, cwd), new Map(), parts.settings['agents.driver'])

/** Includes other members of their tasks: a stopped task has no running agent. */
export const down = async (parts: TaskParts, actor: Actor, { cwd }: { cwd: string }): Promise<TeamView> => {
  const team = await read(parts, actor, cwd)
  const outcomes = new Map<string, Outcome>()
  const others: Wanted[] = []
  for (const name of namesOf(team)) others.push(...(await downTask(parts, actor, team, name, outcomes)))
  // Those of no task, and of one that there is not; what could not be done with a task is told.
  const left = team.wanted.filter(({ handle }) => !outcomes.has(handle))
  await endThose(parts, left, outcomes)
  const all = { ...team, wanted: [...team.wanted, ...others] }
  return viewOf(parts, all, outcomes, parts.settings['agents.driver'])
}

/** The tasks of those in the file. */
export const namesOf = ({ wanted }: Team): string[] => [
  ...new Set(wanted.flatMap(({ task }) => (task === undefined ? [] : [task]))),
]

/** The task is locked meanwhile; an error in it fails all of its agents and no others. */
export const withTask = async (
  { tasks }: TaskParts,
  { project, wanted }: Team,
  { name, what, outcomes }: { name: string; what: string; outcomes: Map<string, Outcome> },
  work: (own: readonly Wanted[]) => Promise<void>,
): Promise<void> => {
  const own = wanted.filter(({ task }) => task === name)
  await tasks
    .exclusively(project, name, what, () => work(own))
    .catch((cause: unknown) => {
      for (const { handle } of own) outcomes.set(handle, { did: 'nothing', error: describeFailure(cause) })
    })
}

/** The task is stopped first: an agent that ends with it is not lost. Whom it had besides is in the answer. */
const downTask = async (
  parts: TaskParts,
  actor: Actor,
  team: Team,
  name: string,
  outcomes: Map<string, Outcome>,
): Promise<Wanted[]> => {
  const others: Wanted[] = []
  await withTask(parts, team, { name, what: 'team down', outcomes }, async (own) => {
    const task = parts.tasks.find(team.project, name)
    if (task === null) return
    if (isOn(task)) await parts.tasks.move(task, 'stop', 'rein team down', actor)
    const members = membersOf(parts, task).map((agent) => ({ handle: agent.handle, task: name, agent }))
    others.push(...members.filter(({ handle }) => team.wanted.every((one) => one.handle !== handle)))
    await endThose(parts, [...own, ...others], outcomes)
  })
  return others
}

const endThose = async (parts: TaskParts, those: readonly Wanted[], outcomes: Map<string, Outcome>): Promise<void> => {
  const agents = those.flatMap(({ agent }) => parts.supervisor.get(agent?.id ?? '') ?? [])
  await several(
    agents.filter(({ state }) => state !== 'stopped'),
    atOnce,
    async (agent) => {
      const [error = null] = await endAgents(parts, [agent])
      await parts.leases.releaseAll(agent.id, { kind: 'daemon' })
      outcomes.set(agent.handle, { did: error === null ? 'stopped' : 'nothing', error })
    },
  )
}
