import { type Agent, isAlive } from '../../contract/agent.ts'
import { asReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type { TeamLaunch } from '../../contract/routes/tasks.ts'
import type { Task, TaskMember } from '../../contract/task.ts'
import { findDriver } from '../../drivers/registry.ts'
import { taskPrompt } from './prompts.ts'
import type { Place } from './roster.ts'
import { makeTree, removeTree, type Tree, treeFor, treesNamed } from './worktrees.ts'
import { isAbsent } from '../../base/util/absent.ts'
import { several } from '../../base/util/several.ts'
import type { z } from 'zod'
import type { TaskParts } from './parts.ts'
import { trustDirectory } from '../../agents/launch/untrusted.ts'
import { endPause } from './task-messages.ts'

export type Launch = z.infer<typeof TeamLaunch>

/** So many CLIs come up at a time: each of them takes a processor for a while. */
export const atOnce = 4

/** An agent of a task, and what is special about it. */
interface NewMember extends Place {
  /** Where it works if it has no work tree; else where the project is. */
  cwd?: string | undefined
  prompt?: string | undefined
  model?: string | undefined
  host?: Launch['host'] | undefined
}

/** How an agent is named to the others. */
type Mate = Pick<Place, 'handle' | 'role' | 'driver'>

interface Team {
  task: Task
  /** All that there are to be, for those who begin. */
  roster: readonly Mate[]
  launch: Launch
  actor: Actor
}

export const agentOf = ({ supervisor }: TaskParts, project: string, handle: string): Agent | undefined =>
  supervisor.agents.find((agent) => agent.project === project && agent.handle === handle)

/** Starts those that do not run; what went wrong with which is in the answer, and the others go on. */
export const startMembers = async (parts: TaskParts, members: readonly NewMember[], team: Team): Promise<string[]> => {
  const { project } = team.task
  const isUp = ({ handle }: NewMember): boolean => isAlive(agentOf(parts, project, handle)?.state ?? 'stopped')
  const down = members.filter((member) => !isUp(member))
  const own = new Set(team.task.members.map(({ agent }) => agent.handle))
  const problems = members
    .filter((member) => isUp(member) && !own.has(member.handle))
    .map(({ handle }) => `${handle} runs already, and is not of this task: rein down ${handle}`)
  // One after the other: git locks the repository for each.
  const trees = new Map<string, Tree | null>()
  const { root } = team.task
  for (const { handle, tree: name } of down)
    try {
      const tree = name === null ? null : await treeFor(root, name, parts.settings['tasks.worktrees'])
      if (tree !== null) await makeTree(root, tree)
      trees.set(handle, tree)
    } catch (cause) {
      problems.push(`${handle} was not started: ${describeFailure(cause)}`)
    }
  const ready = down.filter(({ handle }) => trees.has(handle))
  const failed = await several(ready, atOnce, (member) =>
    startOne(parts, member, trees.get(member.handle) ?? null, team),
  )
  return [...problems, ...failed.filter((problem) => problem !== null)]
}

/** The error of its start; null if it started. */
const startOne = (parts: TaskParts, member: NewMember, tree: Tree | null, team: Team): Promise<string | null> =>
  startMember(parts, member, tree, team).then(
    () => null,
    (cause: unknown) => `${member.handle} was not started: ${describeFailure(cause)}`,
  )

/** It is known as one of the task before it does anything: its first turn may already have something for the lead. */
const startMember = async (
  parts: TaskParts,
  member: NewMember,
  tree: Tree | null,
  { task, roster, launch: how, actor }: Team,
): Promise<void> => {
  const { handle, role } = member
  // An agent that is there keeps its CLI.
  const known = agentOf(parts, task.project, handle)
  const driver = known?.driver ?? member.driver
  const given = {
    cwd: tree?.path ?? member.cwd ?? task.root,
    prompt: member.prompt ?? taskPrompt(task, { handle, role, driver }, roster),
    model: member.model ?? how.models[driver],
    permissionMode: how.permissionMode,
    autoApprove: how.autoApprove,
    policy: how.policy,
  }
  const request = { ...given, env: {}, args: [] }
  if (known !== undefined) await endPause(parts, known.id, actor)
  const { env, trust } = how
  const input = { handle, driver, host: member.host ?? how.host, request, env, trust }
  await parts.launch(actor, input, async (agent) => {
    const place = { worktree: tree?.path ?? null, branch: tree?.branch ?? null }
    const { id, project } = agent
    await parts.tasks.join(task, { agent: { id, project, handle }, role, ...place }, actor)
  })
}

/** Resumes earlier members, each in its conversation and its work tree, which is recreated if it is gone. */
export const bringBack = async (parts: TaskParts, team: Team): Promise<string[]> => {
  const { task } = team
  const wanted = task.members.filter((member) => isMissing(parts, member))
  const problems: string[] = []
  for (const tree of new Map(wanted.flatMap(ownTree)).values())
    await makeTree(task.root, tree).catch((cause: unknown) => problems.push(describeFailure(cause)))
  const failed = await several(wanted, atOnce, (member) => bringOneBack(parts, member, team))
  return [...problems, ...failed.filter((problem) => problem !== null)]
}

/** It does not run, or has nowhere to work. */
export const isMissing = ({ supervisor }: TaskParts, { agent, worktree }: TaskMember): boolean =>
  (worktree !== null && isAbsent(worktree)) || !isAlive(supervisor.get(agent.id)?.state ?? 'stopped')

const bringOneBack = async (parts: TaskParts, member: TaskMember, team: Team): Promise<string | null> => {
  const { id, handle } = member.agent
  const agent = parts.supervisor.get(id)
  if (agent === null) return `${handle} is not known any more.`
  await endPause(parts, id, team.actor)
  // It never came up: there is nothing to go on with.
  if (agent.request === null) {
    const [, tree = null] = ownTree(member)[0] ?? []
    return startOne(parts, { handle, role: member.role, driver: agent.driver, tree: null }, tree, team)
  }
  const { env, trust } = team.launch
  if (trust === true) await trustDirectory(parts, findDriver(agent.driver), agent.cwd, env ?? parts.environment.of(id))
  // One that ran on in a directory that was deleted has nowhere to work: it goes on in the new one.
  if (isAlive(agent.state)) await endAgents(parts, [agent], team.actor)
  const { error } = await parts.resumeOne(team.actor, parts.supervisor.get(id) ?? agent, env)
  return error === null ? null : `${handle} was not started: ${error}`
}

/** Ends those that run; one that waits to be restarted is left down. */
export const endAgents = async (parts: TaskParts, agents: readonly Agent[], actor: Actor): Promise<string[]> => {
  const { supervisor, settings } = parts
  const failed = await several(
    agents.filter(({ state }) => state !== 'stopped'),
    atOnce,
    ({ id, handle }) =>
      supervisor
        .agent(id)
        .stop(settings['agents.stop_timeout_s'] * 1000, actor)
        .then(
          () => null,
          (cause: unknown) => `${handle} was not stopped: ${describeFailure(cause)}`,
        ),
  )
  return failed.filter((problem) => problem !== null)
}

/** Removes the work trees of a task that no agent uses, unless that would lose work. */
export const takeTreesBack = async (parts: TaskParts, task: Task, isForced: boolean): Promise<string[]> => {
  const kept: string[] = []
  // Also those that were made for an agent that never came up.
  const named =
    task.worktrees === 'none'
      ? []
      : await treesNamed(task.root, task.name, parts.settings['tasks.worktrees']).catch((): Tree[] => [])
  const trees = new Map([...named.map((tree): [string, Tree] => [tree.path, tree]), ...task.members.flatMap(ownTree)])
  for (const tree of trees.values()) {
    const isIn = ({ state, cwd }: Agent): boolean => isAlive(state) && `${cwd}/`.startsWith(`${tree.path}/`)
    const user = parts.supervisor.agents.find(isIn)
    const reason =
      user === undefined ? await removeTree(task.root, tree, isForced) : `${user.handle} works in ${tree.path}.`
    if (reason !== null) kept.push(`A work tree is kept: ${reason}`)
  }
  return kept
}

const ownTree = ({ worktree, branch }: TaskMember): [string, Tree][] =>
  worktree === null || branch === null ? [] : [[worktree, { path: worktree, branch }]]

/** The members of a task, as prompts name them. */
export const rosterIn = (parts: TaskParts, task: Task): Mate[] =>
  task.members.map(({ agent, role }) => ({
    handle: agent.handle,
    role,
    driver: parts.supervisor.get(agent.id)?.driver ?? '',
  }))

export const membersOf = ({ tasks, supervisor }: TaskParts, task: Task): Agent[] =>
  tasks
    .stillAt(task)
    .map(({ agent }) => supervisor.get(agent.id))
    .filter((agent) => agent !== null)

export const describeFailure = (cause: unknown): string => {
  const { message, hint } = asReinError(cause)
  return hint === undefined ? message : `${message} ${hint}`
}
