import { existsSync, realpathSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { z } from 'zod'
import { type Agent, isAlive } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type { TeamUpInput, TeamView } from '../../contract/routes/tasks.ts'
import type { Task, TaskMember } from '../../contract/task.ts'
import { findDriver } from '../../drivers/registry.ts'
import { roomOf } from './names.ts'
import { reminder } from './prompts.ts'
import { makeTree, type Tree, treeFor } from './worktrees.ts'
import type { TaskParts } from './parts.ts'
import { refuseUntrustedTeam, trustDirectory } from '../../agents/launch/untrusted.ts'
import { bringBack, isMissing, type Launch, rosterIn, startMembers, describeFailure } from './task-agents.ts'
import { sayTo } from '../inbox/own-words.ts'
import { endPause, note as noteText, sayGoOn } from './task-messages.ts'
import { make } from './handlers.ts'
import { namesOf, type Outcome, read, type Team, viewOf, type Wanted, withTask } from './team-file.ts'
import { escapeUnsafe } from '../../base/util/visible.ts'

/** The settings that all agents of a team share when it starts. */
interface Start {
  parts: TaskParts
  actor: Actor
  team: Team
  how: Launch
  outcomes: Map<string, Outcome>
}

/** Running agents stay, stopped ones resume their conversations, new ones start. */
export const up = async (
  parts: TaskParts,
  actor: Actor,
  { launch: how, ...here }: z.infer<typeof TeamUpInput>,
): Promise<TeamView> => {
  const { cwd } = await parts.finder.placed(here)
  const team = await read(parts, actor, cwd)
  await refuseUntrustedTeam(
    parts,
    { ...team, agents: parts.team.fileAt(cwd).agents },
    { ...how, env: how.env ?? parts.environment.of(undefined) },
  )
  const start: Start = { parts, actor, team, how, outcomes: new Map() }
  for (const name of namesOf(team))
    await withTask(parts, team, { name, what: 'team up', outcomes: start.outcomes }, (own) => upTask(start, name, own))
  for (const one of team.wanted.filter(({ task }) => task === undefined)) await note(start, one, upAlone(start, one))
  return viewOf(parts, team, start.outcomes, how.drivers[0] ?? '')
}

/** One after the other: an agent that cannot be started says so, and the next one is. */
const note = async ({ outcomes }: Start, { handle }: Wanted, started: Promise<boolean>): Promise<void> => {
  await started.then(
    (isStarted) => outcomes.set(handle, { did: isStarted ? 'started' : 'nothing', error: null }),
    (cause: unknown) => outcomes.set(handle, { did: 'nothing', error: describeFailure(cause) }),
  )
}

const upTask = async (start: Start, name: string, own: readonly Wanted[]): Promise<void> => {
  const { parts, actor, team, outcomes } = start
  const { project, root } = team
  const known = parts.tasks.find(project, name)
  const made = known ?? (await make(parts, actor, project, { name, cwd: root, worktrees: treesFor(own) }))
  await parts.rooms.create(project, roomOf(made.name), `The task ${made.name}`, actor)
  const task = await parts.tasks.move(made, 'start', null, actor)
  for (const one of own) await note(start, one, upInTask(start, task, one))
  const cameBack = own.some(({ handle, agent }) => agent !== null && outcomes.get(handle)?.did === 'started')
  // The lead of a task that resumes has to be told.
  if (cameBack) await sayGoOn(parts, parts.tasks.get(project, name), 'was started again')
}

/** The work trees that `rein orchestrate` would have been asked for. */
const treesFor = (own: readonly Wanted[]): Task['worktrees'] => {
  const trees = new Set(own.flatMap(({ worktree }) => worktree ?? []))
  if (trees.size === 0) return 'none'
  return trees.size === 1 ? 'task' : 'agent'
}

/** The file comes with the repository, so any contributor may have written it. */
const promptOf = ({ prompt }: Wanted): string | undefined => (prompt === undefined ? undefined : escapeUnsafe(prompt))

/** Whether it was started; false for one that runs. */
const upInTask = async (start: Start, task: Task, one: Wanted): Promise<boolean> => {
  const { parts, actor, team, how } = start
  refuseOtherCli(one)
  const { agent } = one
  let problems: string[]
  if (agent === null || agent.request === null) {
    const nameMate = ({ handle, role = 'member', driver = how.drivers[0] ?? '' }: Wanted) => ({ handle, role, driver })
    const { model, host, worktree: tree = null } = one
    const cwd = one.cwd && insideOf(team.root, one.handle, one.cwd)
    const member = { ...nameMate(one), prompt: promptOf(one), model, host, tree, cwd }
    const mates = team.wanted.filter((other) => other.task === one.task).map(nameMate)
    const others = rosterIn(parts, task).filter(({ handle }) => mates.every((mate) => mate.handle !== handle))
    problems = await startMembers(parts, [member], { task, roster: [...mates, ...others], launch: how, actor })
  } else {
    const member = await memberFor(start, task, one, agent)
    if (!isMissing(parts, member)) return false
    const alone = { ...task, members: [member] }
    problems = await bringBack(parts, { task: alone, roster: rosterIn(parts, task), launch: how, actor })
  }
  const [problem] = problems
  if (problem !== undefined) throw new ReinError('failed', problem)
  return true
}

/** An agent that was there before its task keeps its conversation and is told of the task. */
const memberFor = async (start: Start, task: Task, one: Wanted, agent: Agent): Promise<TaskMember> => {
  const known = task.members.find((member) => member.agent.id === agent.id)
  if (known !== undefined) return known
  const { parts, actor } = start
  const { id, project, handle } = agent
  const { role = 'member' } = one
  const tree = one.worktree === undefined ? null : await treeAt(parts, start.team.root, one.worktree)
  const place = tree?.path === agent.cwd ? tree : null
  const own = { worktree: place?.path ?? null, branch: place?.branch ?? null }
  const member = { agent: { id, project, handle }, role, ...own }
  await parts.tasks.join(task, member, actor)
  const text = reminder(task, { handle, role })
  await sayTo(parts.inbox, agent, noteText(text))
  return member
}

const refuseOtherCli = ({ handle, driver, agent }: Wanted): void => {
  if (agent !== null && driver !== undefined && driver !== agent.driver)
    throw new ReinError(
      'handle_taken',
      `${handle} is an agent of ${agent.driver}.`,
      'Give it another handle in the file.',
    )
}

/** Whether it was started; false for one that runs. */
const upAlone = async (start: Start, one: Wanted): Promise<boolean> => {
  const { parts, actor, team, how } = start
  const { agent } = one
  if (agent !== null && isAlive(agent.state)) return false
  refuseOtherCli(one)
  const cwd = await placeOf(parts, team.root, one)
  if (agent === null || agent.request === null) {
    const { handle, driver = how.drivers[0] ?? '', host = how.host, model = how.models[driver] } = one
    const { permissionMode, autoApprove, policy, env, trust } = how
    const request = { cwd, prompt: promptOf(one), model, permissionMode, autoApprove, policy, env: {}, args: [] }
    await parts.launch(actor, { handle, driver, host, request, env, trust })
  } else {
    if (how.trust === true)
      await trustDirectory(parts, findDriver(agent.driver), agent.cwd, how.env ?? parts.environment.of(agent.id))
    await endPause(parts, agent.id, actor)
    const { error } = await parts.resumeOne(actor, agent, how.env)
    if (error !== null) throw new ReinError('failed', error)
  }
  return true
}

const treeAt = ({ settings }: TaskParts, root: string, name: string): Promise<Tree> =>
  treeFor(root, name, settings['tasks.worktrees'])

const placeOf = async (parts: TaskParts, root: string, one: Wanted): Promise<string> => {
  const { handle, cwd, worktree } = one
  if (worktree === undefined) return insideOf(root, handle, cwd ?? '')
  const tree = await treeAt(parts, root, worktree)
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
