import { type Agent, isAlive } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { type Actor, byRein } from '../../contract/identity.ts'
import { continueCommand, fullName } from '../../contract/handle.ts'
import { type AnyNewRecord, newRecord, type RecordBody } from '../../contract/record.ts'
import type { SnapshotRef, Move, MovedFiles } from '../../contract/session.ts'
import type { Progress } from '../../contract/routes/route.ts'
import type { FileChange } from '../../contract/routes/sessions.ts'
import type { CursorMove } from '../../base/log/writer.ts'
import { errorMessage } from '../../base/util/error-message.ts'
import type { KnownMove } from './moves.ts'
import { SnapshotError } from './snapshots/errors.ts'
import type { Shadow, Snapshot } from './snapshots/shadow.ts'
import type { Chat, Way } from './way.ts'

/** A conversation that was copied from another; `read` marks the entries it starts with as already read. */
export interface Copied {
  conversation: string
  transcript: string
  read: CursorMove[]
}

export interface MoverPorts {
  append: (records: AnyNewRecord[], cursors?: CursorMove[]) => Promise<unknown>
  now: () => number
  newId: (prefix: string) => string
  shadow: (root: string) => Promise<Shadow>
  /** Resolves when no snapshot is being taken for this agent. */
  settled: (agent: string) => Promise<void>
  agent: (id: string) => Agent | null
  /** The other agents that work in these files now. */
  othersAt: (root: string, agent: string) => Agent[]
  /** Another agent that has this conversation open. */
  otherIn: (agent: Agent, conversation: string) => Agent | null
  stop: (agent: string, actor: Actor) => Promise<void>
  start: (agent: string, actor: Actor) => Promise<void>
  /** The directives that the agent has seen since this moment. */
  toldSince: (agent: string, since: number) => string[]
  /** Stops asking for an acknowledgement of these. */
  forget: (directives: readonly string[]) => Promise<void>
  /** Sets the conversation that the agent continues at its next start. */
  converse: (agent: string, conversation: string | null, transcript: string | null, actor: Actor) => Promise<void>
  /** Throws where a conversation of this agent cannot be cut. */
  checkCut: (agent: Agent) => void
  cut: (agent: Agent, chat: Extract<Chat, { kind: 'cut' }>) => Promise<Copied>
  /** The move has ended, done or taken back. */
  onSettled: (agent: string) => void
  onTrouble: (cause: unknown) => void
}

interface MoveOptions {
  actor: Actor
  /** Ends what the agent is doing. */
  stop: boolean
  /** Overwrites files that were edited in the meantime. */
  force: boolean
  signal?: AbortSignal | undefined
  onProgress: (progress: Progress) => void
}

interface Moved {
  move: Move
  conversation: string | null
  changes: FileChange[]
  kept: { path: string; reason: string }[]
  skipped: Snapshot['skipped']
  isRunning: boolean
}

/** The session, and the agent's current place in it. */
type MovePlan = Pick<Move, 'session' | 'from'>

interface Found {
  conversation: string | null
  transcript: string | null
  read?: CursorMove[]
}

/**
 * Moves an agent, with its files, its conversation or both, to another place of its session; a move that fails is taken back.
 * `session.moving` is on disk before anything is touched, and `session.moved` ends it. The next daemon takes back a move that it finds open.
 */
export class Mover {
  readonly #ports: MoverPorts
  readonly #busy = new Set<string>()

  constructor(ports: MoverPorts) {
    this.#ports = ports
  }

  async move(agent: Agent, way: Way, plan: MovePlan, options: MoveOptions): Promise<Moved> {
    this.#refuse(agent, way, options)
    const { files, chat } = way
    const busy = [agent.id, ...(files === null ? [] : [files.root])]
    busy.forEach((one) => this.#busy.add(one))
    try {
      // Both checks come before the agent is stopped, so that it is not stopped for nothing.
      if (chat?.kind === 'cut') this.#ports.checkCut(agent)
      if (files !== null) {
        const shadow = await this.#ports.shadow(files.root)
        await shadow.same(files.snapshot.id, files.snapshot.id)
      }
      return await this.#move(agent, way, plan, options)
    } finally {
      busy.forEach((one) => this.#busy.delete(one))
      this.#ports.onSettled(agent.id)
    }
  }

  /** While an agent is moving, only the mover may start it. */
  isMoving(agent: string): boolean {
    return this.#busy.has(agent)
  }

  /** Takes back the moves that a dead daemon left open, and starts the agents that it had stopped for them. */
  async recover(moves: readonly KnownMove[]): Promise<void> {
    const newest = new Map(moves.map((one) => [one.move.agent.id, one]))
    const open = moves.filter((one) => one.state === 'open')
    for (const { move } of [...newest.values(), ...open]) this.#busy.add(move.agent.id)
    for (const one of open.filter((each) => newest.get(each.move.agent.id) !== each))
      await this.#fail(one.move, 'the daemon ended in the middle of it, and another move came after it')
    for (const one of newest.values()) {
      const { move, state, endedAt } = one
      const { id } = move.agent
      try {
        if (state === 'open') await this.#takeBack(move, 'the daemon ended in the middle of it', true)
        const agent = this.#ports.agent(id)
        const isWaiting = agent?.state === 'stopped' && (endedAt === null || agent.since <= endedAt)
        if (move.wasRunning && isWaiting) await this.#ports.start(id, byRein)
      } catch (cause) {
        this.#ports.onTrouble(cause)
      }
      this.#busy.delete(id)
      this.#ports.onSettled(id)
    }
  }

  #refuse(agent: Agent, { files, chat }: Way, { stop, force }: MoveOptions): void {
    const { handle, state, host } = agent
    if (this.#busy.has(agent.id)) throw new ReinError('refused', `${handle} is being moved already.`)
    const isBusy = isAlive(state) && state !== 'idle' && state !== 'paused'
    if (isAlive(state) && host === 'outside' && (chat !== null || isBusy))
      throw new ReinError(
        'refused',
        `${handle} was not started by Rein, which cannot end it.`,
        'End it, and try again.',
      )
    if (isBusy && !stop)
      throw new ReinError('refused', `${handle} is at work (${state}).`, 'Wait until it is idle, or end that: --stop')
    if (files !== null && this.#busy.has(files.root))
      throw new ReinError('refused', 'These files are just being moved with another agent.', 'Try again in a moment.')
    const open = chat?.kind === 'whole' ? this.#ports.otherIn(agent, chat.conversation) : null
    if (open !== null)
      throw new ReinError(
        'refused',
        `${fullName(open)} has the conversation open that ${handle} would go on with (${open.state}).`,
        `End it: rein down ${fullName(open)}`,
      )
    const others = files === null || force ? [] : this.#ports.othersAt(files.root, agent.id)
    if (others.length > 0)
      throw new ReinError(
        'refused',
        `${others.map((one) => one.handle).join(', ')} works in the same files.`,
        'Wait until they are idle, go on all the same with --force, or fork into a work tree.',
      )
  }

  async #move(agent: Agent, way: Way, plan: MovePlan, options: MoveOptions): Promise<Moved> {
    const { id, project, handle, state, host, until } = agent
    const { actor } = options
    const isLaunched = (isAlive(state) || (state === 'crashed' && until !== null)) && host !== 'outside'
    const wasRunning = isLaunched && (way.chat !== null || (state !== 'idle' && state !== 'paused'))
    const { kind, of, part, to } = way
    const move: Move = {
      id: this.#ports.newId('mov'),
      kind,
      of: of?.id ?? null,
      part,
      to,
      agent: { id, project, handle },
      wasRunning,
      ...plan,
      files: null,
    }
    // On disk before anything is done: a daemon that finds it open knows what to take back.
    await this.#append(move, 'session.moving', { move }, actor)
    let done: Omit<Moved, 'isRunning'>
    try {
      done = await this.#carryOut(move, way, agent, options)
    } catch (cause) {
      if (wasRunning && this.#ports.agent(id)?.state === 'stopped')
        await this.#ports.start(id, byRein).catch((trouble: unknown) => this.#ports.onTrouble(trouble))
      throw cause
    }
    if (wasRunning)
      await this.#ports.start(id, actor).catch((cause: unknown) => {
        throw new ReinError(
          'failed',
          `It is done, but ${handle} could not be started: ${errorMessage(cause)}`,
          `Start it: ${continueCommand(agent)}. Or take it back: rein session undo ${fullName(agent)}`,
        )
      })
    return { ...done, isRunning: isLaunched }
  }

  async #carryOut(begun: Move, way: Way, agent: Agent, options: MoveOptions): Promise<Omit<Moved, 'isRunning'>> {
    let [move, isTouched] = [begun, false]
    try {
      if (begun.wasRunning) await this.#ports.stop(agent.id, options.actor)
      await this.#ports.settled(agent.id)
      if (way.files !== null) {
        const { root, snapshot: target } = way.files
        const shadow = await this.#ports.shadow(root)
        const taken = await shadow.snapshot({ before: target.id, ...workOf('saving the files', options) })
        const safety: SnapshotRef = { id: taken.id, tree: taken.tree, head: taken.head, branch: taken.branch }
        const secured = { ...begun, files: { root, safety, target } }
        // From here on an undo brings back the files as they are now.
        await this.#append(begun, 'session.moving', { move: secured }, options.actor)
        move = secured
      }
      const { chat } = way
      let found: Found | null = null
      if (chat !== null) {
        const fresh = { conversation: null, transcript: null }
        found = chat.kind === 'cut' ? await this.#ports.cut(agent, chat) : chat.kind === 'whole' ? chat : fresh
      }
      const files = move.files === null ? null : await this.#restore(move.files, options, () => (isTouched = true))
      const conversation = await this.#arrive(move, way, agent, found, options.actor)
      return { move, conversation, changes: [], kept: [], skipped: [], ...files }
    } catch (cause) {
      await this.#takeBack(move, errorMessage(cause), isTouched)
      throw cause
    }
  }

  /** The last step: the move counts as done once its records are on disk, and as failed before. */
  async #arrive(move: Move, way: Way, agent: Agent, found: Found | null, actor: Actor): Promise<string | null> {
    const left = found === null ? [] : this.#ports.toldSince(agent.id, way.since)
    if (found !== null) await this.#ports.converse(agent.id, found.conversation, found.transcript, actor)
    const conversation = found === null ? agent.conversation : found.conversation
    const records: AnyNewRecord[] = []
    if (found?.conversation != null && way.chat?.kind === 'cut') {
      const body = { session: move.session, conversation: found.conversation, from: way.chat.from }
      records.push(this.#record(move, 'session.continued', body, actor))
    }
    records.push(this.#record(move, 'session.moved', { move: move.id, conversation }, actor))
    await this.#ports.append(records, found?.read)
    await this.#ports.forget(left).catch((cause: unknown) => this.#ports.onTrouble(cause))
    return conversation
  }

  async #restore({ root, safety, target }: MovedFiles, options: MoveOptions, onTouched: () => void) {
    const shadow = await this.#ports.shadow(root)
    const changes = await shadow.diff(safety.id, target.id)
    const work = { ...workOf('restoring the files', options), since: safety.id, evenIfEdited: options.force }
    try {
      const { kept, after } = await shadow.restore(target.id, work)
      onTouched()
      const stays = new Set(kept.map((one) => one.path))
      return { changes: changes.filter((one) => !stays.has(one.path)), kept, skipped: after.skipped }
    } catch (cause) {
      // All other problems are found before a file is touched.
      if (!(cause instanceof SnapshotError) || cause.code === 'unverified') onTouched()
      throw cause
    }
  }

  /** Puts everything back. The files as they are just before that are kept as a snapshot. */
  async #takeBack(move: Move, reason: string, isTouched: boolean): Promise<void> {
    const { files, from, part, agent } = move
    const back = files === null || !isTouched ? { found: null, why: null } : await this.#restoreBack(files)
    const why = [reason, back.why].filter((one) => one !== null)
    const isElsewhere = part !== 'code' && this.#ports.agent(agent.id)?.conversation !== from.conversation
    try {
      if (isElsewhere) await this.#ports.converse(agent.id, from.conversation, null, byRein)
    } catch (cause) {
      why.push(`its conversation stays, too: ${errorMessage(cause)}`)
    }
    await this.#fail(move, why.join('; '), back.found, back.why !== null)
  }

  async #fail(move: Move, reason: string, found: string | null = null, filesStay = false): Promise<void> {
    const body = { move: move.id, reason, found, filesStay }
    await this.#append(move, 'session.failed', body, byRein).catch((cause: unknown) => this.#ports.onTrouble(cause))
  }

  /** A file that matches neither the safety snapshot nor the target was edited since: then all files stay as they are. */
  async #restoreBack({ root, safety, target }: MovedFiles): Promise<{ found: string | null; why: string | null }> {
    let found: string | null = null
    try {
      const shadow = await this.#ports.shadow(root)
      const now = await shadow.snapshot({ before: safety.id })
      found = now.id
      const unlike = new Set((await shadow.diff(now.id, target.id)).map((one) => one.path))
      const edited = (await shadow.diff(now.id, safety.id)).map((one) => one.path).filter((one) => unlike.has(one))
      if (edited.length > 0) {
        const rest = edited.length > 5 ? ` and ${edited.length - 5} more` : ''
        return { found, why: `the files stay, for some were edited since: ${edited.slice(0, 5).join(', ')}${rest}` }
      }
      await shadow.restore(safety.id, { since: now.id })
      return { found, why: null }
    } catch (cause) {
      return { found, why: `the files stay: ${errorMessage(cause)}` }
    }
  }

  async #append<T extends 'session.moving' | 'session.failed'>(
    move: Pick<Move, 'agent'>,
    type: T,
    body: RecordBody<T>,
    actor: Actor,
  ): Promise<void> {
    await this.#ports.append([this.#record(move, type, body, actor)])
  }

  #record<T extends `session.${'moving' | 'moved' | 'failed' | 'continued'}`>(
    { agent }: Pick<Move, 'agent'>,
    type: T,
    body: RecordBody<T>,
    actor: Actor,
  ): AnyNewRecord {
    const context = { id: this.#ports.newId('rec'), at: this.#ports.now(), actor }
    return newRecord(type, body, { ...context, agent: agent.id, project: agent.project }) as AnyNewRecord
  }
}

const workOf = (what: string, { signal, onProgress }: MoveOptions) => ({
  signal,
  onProgress: ({ done, total }: { done: number; total: number }) => onProgress({ what, done, total }),
})
