import { basename, dirname, join, resolve } from 'node:path'
import { EventEmitter, once } from 'node:events'
import type { z } from 'zod'
import { isAlive } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import { continueCommand, fullName } from '../../contract/handle.ts'
import type { Progress, ProgressLine } from '../../contract/routes/route.ts'
import type {
  CollectedView,
  CompactInput,
  ForkedView,
  ForkInput,
  MovedView,
  RewindInput,
  UndoInput,
} from '../../contract/routes/sessions.ts'
import { findDriver } from '../../drivers/registry.ts'
import { makeFork } from './forker.ts'
import { turnAt } from './session.ts'
import { filesAfter, type Way, wayBack, wayToCopy, wayToTurn } from './way.ts'
import type { SessionParts } from './parts.ts'
import { findRested, type Target } from './target.ts'
import { outsideSince, translated } from './handlers.ts'
import { longestHandle } from '../../contract/handle.ts'
import { freeName } from '../../base/util/free-name.ts'

type Given<T extends z.ZodType> = z.infer<T>
type Lines<T> = AsyncGenerator<ProgressLine<T>>
type Report = (progress: Progress) => void

export async function* rewind(
  parts: SessionParts,
  actor: Actor,
  input: Given<typeof RewindInput>,
  signal: AbortSignal,
): Lines<MovedView> {
  const target = await findRested(parts, input)
  const { id, cwd } = target.agent
  yield* inLines(async (report) => {
    const root = input.part === 'chat' ? null : (await parts.shadows.of(cwd).catch(translated)).tree
    const way = wayToTurn(target.session, input.turn, input.part, { id, root, here: target.here })
    return go(parts, target, way, { ...input, actor, signal }, report)
  })
}

export async function* back(
  parts: SessionParts,
  actor: Actor,
  kind: 'undo' | 'redo',
  input: Given<typeof UndoInput>,
  signal: AbortSignal,
): Lines<MovedView> {
  const target = await findRested(parts, input)
  yield* inLines((report) =>
    go(parts, target, wayBack(target.session, kind, target.agent.id), { ...input, actor, signal }, report),
  )
}

interface GoOptions {
  actor: Actor
  preview: boolean
  stop: boolean
  force: boolean
  signal: AbortSignal
}

const go = async (
  parts: SessionParts,
  target: Target,
  way: Way,
  options: GoOptions,
  onProgress: Report,
): Promise<MovedView> => {
  const { agent, session, from } = target
  if (options.preview) return preview(parts, target, way, options.signal)
  const plan = { session: session.row.id, from }
  const moved = await parts.mover.move(agent, way, plan, { ...options, onProgress }).catch(translated)
  const { move, changes, kept, skipped, conversation, isRunning } = moved
  const went = { ...about(parts, target, way), id: move.id }
  parts.hosts.live.tell(agent.id, {
    kind: 'moved',
    move: { id: went.id, kind: went.kind, agent: went.agent, part: went.part, from: went.from, to: went.to },
  })
  return { ...went, changes, kept, skipped, conversation, isRunning }
}

const preview = async (parts: SessionParts, target: Target, way: Way, signal: AbortSignal): Promise<MovedView> => {
  const said = about(parts, target, way)
  if (way.files === null) return said
  const shadow = await parts.shadows.of(way.files.root)
  const { changes, kept, now } = await shadow.preview(way.files.snapshot.id, { signal }).catch(translated)
  return { ...said, changes, kept, skipped: now.skipped }
}

/** What can be said of a move before it is done. */
const about = (parts: SessionParts, target: Target, way: Way): MovedView => {
  const { agent, session, here } = target
  const to = turnAt(session, way.to)
  const isRunning = isAlive(agent.state)
  return {
    id: null,
    kind: way.kind,
    session: session.row.id,
    agent: agent.handle,
    part: way.part,
    from: session.tree.labelOf(here),
    to: session.tree.labelOf(to),
    changes: [],
    kept: [],
    skipped: [],
    isExact: way.files?.isExact ?? true,
    outside: way.files === null ? [] : outsideSince(parts, target, to, way.files.root),
    conversation: way.chat?.kind === 'whole' ? way.chat.conversation : null,
    isRunning,
    command: isRunning ? null : continueCommand(agent),
  }
}

/** The files of the agent that is summed up stay; so does its conversation, which a copy takes the place of. */
export async function* compact(
  parts: SessionParts,
  actor: Actor,
  input: Given<typeof CompactInput>,
  signal: AbortSignal,
): Lines<MovedView> {
  const target = await findRested(parts, input)
  const { agent, here } = target
  const { compact: command, title } = findDriver(agent.driver)
  if (command === null) throw new ReinError('refused', `${title} cannot be told to sum up a conversation.`)
  if (!isAlive(agent.state))
    throw new ReinError(
      'not_running',
      `${agent.handle} is not running (${agent.state}).`,
      `Start it: ${continueCommand(agent)}`,
    )
  if (here === null) throw new ReinError('refused', `${agent.handle} has nothing to sum up.`)
  yield* inLines(async (report) => {
    const options = { actor, preview: false, stop: input.stop, force: false, signal }
    const moved = await go(parts, target, wayToCopy(target.session, here), options, report)
    report({ what: 'summing up', done: 0, total: 0 })
    const compacted = parts.compactions.next(agent.id, compactMs)
    await parts.supervisor.agent(agent.id).wake(command, false)
    if (await compacted) return moved
    throw new ReinError(
      'not_in_time',
      `${title} has not summed up its conversation in ${compactMs / 60_000} minutes.`,
      `Go back: rein session undo ${fullName(agent)}`,
    )
  })
}

const compactMs = 10 * 60_000

export async function* fork(parts: SessionParts, actor: Actor, input: Given<typeof ForkInput>): Lines<ForkedView> {
  const target = await findRested(parts, input)
  yield* inLines((report) => forkOne(parts, actor, target, input, report))
}

const forkOne = async (
  parts: SessionParts,
  actor: Actor,
  { agent, session, here }: Target,
  input: Given<typeof ForkInput>,
  report: Report,
): Promise<ForkedView> => {
  const turn = input.turn === undefined ? here : session.tree.find(input.turn)
  const taken = handlesBeside(parts, agent)
  const free = (name: string): string => freeName(name, (one) => taken.has(one), longestHandle)
  const handle = input.handle ?? free(agent.handle)
  // Before anything is made: another agent of this name would be taken for the new one.
  if (taken.has(handle))
    throw new ReinError(
      'handle_taken',
      `There is an agent ${handle} already.`,
      `This name is free: --as ${free(handle)}`,
    )
  const dir =
    input.worktree === undefined
      ? null
      : placeFor(
          input.cwd ?? agent.cwd,
          input.worktree,
          filesAfter(session, turn, session.tree.labelOf(turn)).root,
          handle,
        )
  report({ what: 'copying', done: 0, total: 0 })
  const { conversation, cwd } = await makeFork(parts.movePorts, { actor, session, agent, turn, dir }).catch(translated)
  const view = { session: session.row.id, turn: session.tree.labelOf(turn), conversation, cwd }
  const resume = conversation === null ? '' : ` --resume ${conversation}`
  const command = `rein up ${handle} --driver ${agent.driver} --cwd ${quoted(cwd)}${resume}`
  if (agent.host === 'outside' || agent.request === null) return { ...view, agent: null, command }
  report({ what: 'starting', done: 0, total: 0 })
  const { session: _, resume: __, fork: ___, continue: ____, prompt: _____, ...own } = agent.request
  const { isOwned: ______, maxTurns: _______, ...rest } = own
  await parts.supervisor.up({
    handle,
    driver: findDriver(agent.driver),
    host: agent.host,
    project: await parts.projects.of(cwd),
    request: { ...rest, cwd, ...(conversation === null ? {} : { resume: conversation }) },
    env: parts.environment.of(agent.id),
    actor,
  })
  return { ...view, agent: handle, command: null }
}

export const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`

/** Beside the work tree that it is taken from, unless another place is named. */
const placeFor = (cwd: string, worktree: string, root: string, handle: string): string => {
  if (worktree === '') return join(dirname(root), `${basename(root)}-${handle}`)
  return resolve(cwd, worktree)
}

const handlesBeside = ({ supervisor }: SessionParts, { project }: Target['agent']): Set<string> =>
  new Set(supervisor.agents.filter((one) => one.project === project).map((one) => one.handle))

export async function* collect({ collectSessions }: SessionParts): Lines<CollectedView> {
  yield* inLines(async (report) => ({
    trees: await collectSessions((done, total) => report({ what: 'work trees', done, total })).catch(translated),
  }))
}

/** How far it is, as often as somebody can read it, and at last what came of it. */
export async function* inLines<T>(work: (report: Report) => Promise<T>): Lines<T> {
  const news = new EventEmitter()
  const state: { latest: Progress | null; isOver: boolean } = { latest: null, isOver: false }
  const say = (change: Partial<typeof state>): void => {
    Object.assign(state, change)
    news.emit('news')
  }
  const running = work((latest) => say({ latest })).finally(() => say({ isOver: true }))
  // Whoever leaves early does not hear of it; the work itself says what became of it.
  running.catch(() => undefined)
  while (!state.isOver) {
    if (state.latest === null) await once(news, 'news')
    const progress = state.latest
    state.latest = null
    if (progress !== null) yield { progress }
  }
  yield { result: await running }
}
