import type { z } from 'zod'
import type { Agent } from '../../contract/agent.ts'
import { asReinError, ReinError } from '../../contract/errors.ts'
import type {
  FoundTurn,
  SessionDetail,
  SessionDiff,
  SessionDiffInput,
  SessionInput,
  SessionMoveView,
  SessionSearchInput,
  SessionsInput,
  SessionTurnDetail,
  SessionTurnInput,
  SessionTurnView,
  SessionView,
} from '../../contract/routes/sessions.ts'
import type { Actor } from '../../contract/identity.ts'
import { nameActor } from '../../contract/person.ts'
import type { TurnBlock } from '../../contract/turn.ts'
import { readBetween } from '../../base/log/store.ts'
import type { KnownMove } from './moves.ts'
import { blocksOf, writtenOutside } from './outside.ts'
import { searchTurns } from './search.ts'
import { loadSession, type Session, snapshotAfter, turnAt } from './session.ts'
import { SnapshotError, type SnapshotProblem } from './snapshots/errors.ts'
import { conversationsOf, findConversation, labelAt, type SessionRow, sessionsOf } from './store.ts'
import type { TakenSnapshot, Turn } from './turn.ts'
import { filesAfter } from './way.ts'
import type { SessionParts } from './parts.ts'
import { findTarget, type Target } from './target.ts'
import { isLoop, loopView } from '../loops/handlers.ts'

type Given<T extends z.ZodType> = z.infer<T>

export const list = async (
  parts: SessionParts,
  { all, limit, ...here }: Given<typeof SessionsInput>,
): Promise<SessionView[]> => {
  const project = all ? null : await parts.finder.projectAt(here)
  return sessionsOf(parts.reader, project, limit).flatMap((row) => {
    const agent = parts.supervisor.get(row.agent)
    return agent === null ? [] : [viewOf(parts, row, agent)]
  })
}

const viewOf = ({ reader }: SessionParts, row: SessionRow, agent: Agent): SessionView => {
  const conversations = conversationsOf(reader, row.id)
  const here = conversations.find((one) => one.conversation === agent.conversation)
  const isHere = here !== undefined || agent.conversation === null
  return {
    id: row.id,
    agent: agent.handle,
    driver: agent.driver,
    project: row.project,
    cwd: agent.cwd,
    state: agent.state,
    turns: row.turns,
    branches: conversations.length,
    firstAt: row.firstAt,
    lastAt: row.lastAt,
    lastPrompt: row.lastPrompt,
    current: isHere ? labelAt(reader, here?.place ?? { conversation: null, turn: null }) : null,
    conversation: here?.conversation ?? null,
  }
}

export const show = async (parts: SessionParts, input: Given<typeof SessionInput>): Promise<SessionDetail> => {
  const { agent, session, here } = await findTarget(parts, input)
  const current = new Set(session.tree.pathTo(here))
  const root = session.tree.turns.map((turn) => session.files.get(turn)?.after?.root).find((one) => one !== undefined)
  const disk =
    root === undefined
      ? null
      : await parts.shadows.of(root).then(
          (shadow) => shadow.usage(),
          () => null,
        )
  return {
    session: viewOf(parts, session.row, agent),
    turns: session.tree.turns.map((turn) => turnView(parts, session, turn, current.has(turn))),
    moves: session.moves.map((one) => moveView(session, one)),
    disk,
    trouble: parts.recorder.troubleOf(agent.id),
  }
}

const turnView = ({ supervisor }: SessionParts, session: Session, turn: Turn, isCurrent: boolean): SessionTurnView => {
  const { tree } = session
  const { conversation, prompt, startedAt, endedAt, reason, model, costUsd } = turn
  return {
    label: tree.labelOf(turn),
    parent: tree.labelOf(tree.parentOf(turn)),
    agent: supervisor.get(turn.agent)?.handle ?? turn.agent,
    conversation,
    prompt,
    startedAt,
    endedAt,
    reason,
    model,
    costUsd,
    isCurrent,
    hasFiles: snapshotAfter(session, turn) !== null,
  }
}

const moveView = (session: Session, { move, actor, at, state, reason }: KnownMove): SessionMoveView => {
  const { id, kind, part, from, to } = move
  const label = (place: typeof from): string => session.tree.labelOf(turnAt(session, place))
  return { id, kind, part, by: byOf(actor), at, state, reason, from: label(from), to: label(to) }
}

/** Records of an older Rein do not say. */
const byOf = (actor: Actor | null): string | null =>
  actor === null || actor.kind === 'daemon' ? null : nameActor(actor)

export const showTurn = async (
  parts: SessionParts,
  input: Given<typeof SessionTurnInput>,
): Promise<SessionTurnDetail> => {
  const { session, here, agent } = await findTarget(parts, input)
  const found = session.tree.find(input.turn)
  if (found === null) throw nothingBefore()
  const { before, after } = session.files.get(found) ?? { before: null, after: null }
  const blocks = blocksIn(parts, session, found)
  return {
    session: session.row.id,
    turn: turnView(parts, session, found, session.tree.pathTo(here).includes(found)),
    blocks,
    loops: loopsIn(parts, session, found),
    before: standingOf(before),
    after: standingOf(after),
    changes:
      before === null || after === null
        ? null
        : await (await parts.shadows.of(after.root)).diff(before.snapshot.id, after.snapshot.id).catch(unlessGone),
    skipped: after?.skipped ?? [],
    outside: after === null ? [] : writtenOutside(blocks, after.root, agent.cwd),
  }
}

const nothingBefore = (): ReinError =>
  new ReinError('usage', 'Turn 0 is before the first prompt: nothing was done in it.', 'Begin with turn 1.')

const standingOf = (taken: TakenSnapshot | null): SessionTurnDetail['before'] =>
  taken === null
    ? null
    : { snapshot: taken.snapshot.id, head: taken.snapshot.head, branch: taken.snapshot.branch, isExact: taken.isClean }

/** As far as the log reaches back. */
export const blocksIn = ({ reader }: SessionParts, session: Session, turn: Turn): TurnBlock[] =>
  blocksOf(readBetween(reader, 'turns', turn.agent, seqsOf(session, turn)), turn.conversation, turn.turn)

const loopsIn = ({ reader, supervisor }: SessionParts, session: Session, turn: Turn): SessionTurnDetail['loops'] => {
  const agent = { handle: supervisor.get(turn.agent)?.handle ?? turn.agent }
  const records = readBetween(reader, 'loops', turn.agent, seqsOf(session, turn))
  return records.filter(isLoop).map((record) => loopView(agent, record))
}

/** Where its records stand in the log: up to the next turn of its agent. */
const seqsOf = ({ tree }: Session, turn: Turn): [number, number] => {
  const next = tree.turns.find((one) => one.agent === turn.agent && one.seq > turn.seq)
  return [turn.seq, next?.seq ?? Number.MAX_SAFE_INTEGER]
}

/** Files outside of the work tree that were written after a turn, on the way to where the agent is. */
export const outsideSince = (
  parts: SessionParts,
  { session, here, agent }: Target,
  turn: Turn | null,
  root: string,
): string[] => {
  const { tree } = session
  const before = new Set(tree.pathTo(turn))
  const since = tree.pathTo(here).filter((one) => !before.has(one))
  return writtenOutside(
    since.flatMap((one) => blocksIn(parts, session, one)),
    root,
    agent.cwd,
  )
}

export const diff = async (parts: SessionParts, input: Given<typeof SessionDiffInput>): Promise<SessionDiff> => {
  const { session, agent } = await findTarget(parts, input)
  const { tree } = session
  const first = tree.find(input.from)
  if (first === null && input.to === undefined) throw nothingBefore()
  // A turn alone means what it did.
  const [from, to] =
    input.to === undefined
      ? [tree.labelOf(first === null ? null : tree.parentOf(first)), input.from]
      : [input.from, input.to]
  const start = input.to === undefined && first !== null ? beforeOf(session, first) : filesAfter(session, first, from)
  const shadow = await parts.shadows.of(start.root)
  const end = to === 'now' ? await filesNow(parts, agent) : filesAfter(session, tree.find(to), to)
  if (end.root !== start.root)
    throw new ReinError('refused', `${start.root} and ${end.root} cannot be compared: each is another work tree.`)
  const changes = await shadow.diff(start.snapshot.id, end.snapshot.id).catch(translated)
  const patch = input.patch ? await shadow.patch(start.snapshot.id, end.snapshot.id).catch(translated) : null
  return { session: session.row.id, from, to, changes, patch }
}

const filesNow = async (
  { shadows }: SessionParts,
  { cwd }: Agent,
): Promise<{ root: string; snapshot: { id: string } }> => {
  const shadow = await shadows.of(cwd).catch(translated)
  return { root: shadow.tree, snapshot: await shadow.snapshot().catch(translated) }
}

/** A person may have changed something between two turns. */
const beforeOf = (session: Session, turn: Turn): ReturnType<typeof filesAfter> => {
  const before = session.files.get(turn)?.before
  if (before != null) return { root: before.root, snapshot: before.snapshot, isExact: before.isClean }
  return filesAfter(session, session.tree.parentOf(turn), session.tree.labelOf(session.tree.parentOf(turn)))
}

export const search = async (
  parts: SessionParts,
  { all, text, limit, ...here }: Given<typeof SessionSearchInput>,
): Promise<FoundTurn[]> => {
  const { reader, supervisor } = parts
  const project = all ? null : await parts.finder.projectAt(here)
  const sessions = new Map<string, Session>()
  const found: FoundTurn[] = []
  for (const { conversation, turn: id, excerpt } of searchTurns(reader, text, project, limit)) {
    const name = findConversation(reader, conversation)?.session
    if (name === undefined) continue
    const session = sessions.get(name) ?? loadSession(reader, name)
    sessions.set(name, session)
    const one = session.tree.at({ conversation, turn: id })
    if (one === null) continue
    const agent = supervisor.get(one.agent)?.handle ?? one.agent
    const label = session.tree.labelOf(one)
    found.push({ session: name, agent, turn: label, at: one.startedAt, prompt: one.prompt, excerpt })
  }
  return found.slice(0, limit)
}

const families = {
  edited: 'refused',
  not_empty: 'refused',
  too_large: 'refused',
  aborted: 'refused',
  busy: 'unavailable',
  unstable: 'unavailable',
  git_missing: 'unavailable',
  storage_full: 'storage_full',
  unknown_snapshot: 'not_found',
} as const satisfies Partial<Record<SnapshotProblem, string>>

/** What was dropped is nothing that went wrong: the rest of the turn is still there. */
const unlessGone = (cause: unknown): null => {
  if (cause instanceof SnapshotError && cause.code === 'unknown_snapshot') return null
  return translated(cause)
}

/** What goes wrong with snapshots, in the words that a caller understands. */
export const translated = (cause: unknown): never => {
  if (!(cause instanceof SnapshotError)) throw asReinError(cause)
  throw new ReinError(families[cause.code as keyof typeof families] ?? 'failed', cause.message)
}
