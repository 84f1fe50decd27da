import { type Agent, isAlive } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { continueCommand, fullName } from '../../contract/handle.ts'
import { type AnyNewRecord, newRecord, type RecordBody } from '../../contract/record.ts'
import type { SnapshotRef, Move, MovedFiles, Place } from '../../contract/session.ts'
import type { Progress } from '../../contract/routes/route.ts'
import type { FileChange } from '../../contract/routes/sessions.ts'
import type { CursorMove } from '../../base/log/writer.ts'
import type { KnownMove } from './moves.ts'
import { SnapshotError } from './snapshots/errors.ts'
import type { Shadow, Snapshot } from './snapshots/shadow.ts'
import type { Chat, Way } from './way.ts'

/** A conversation that was made of another; `read` says that what it has by now need not be read as news. */
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
  /** Who else works in these files now. */
  othersAt: (root: string, agent: string) => Agent[]
  /** Who else is in this conversation. */
  otherIn: (agent: Agent, conversation: string) => Agent | null
  stop: (agent: string) => Promise<void>
  start: (agent: string) => Promise<void>
  /** What the agent was told after this moment, and has seen. */
  toldSince: (agent: string, since: number) => string[]
  /** Nobody asks for these again. */
  forget: (directives: readonly string[]) => Promise<void>
  /** What it goes on with when it is started next. */
  converse: (agent: string, conversation: string | null, transcript: string | null) => Promise<void>
  /** Throws where a conversation of this agent cannot be cut. */
  checkCut: (agent: Agent) => void
  cut: (agent: Agent, chat: Extract<Chat, { kind: 'cut' }>) => Promise<Copied>
  /** It has come to the end of its way, or been left where it was. */
  onSettled: (agent: string) => void
  onTrouble: (cause: unknown) => void
}

export interface MoveOptions {
  /** Ends what the agent is doing. */
  stop: boolean
  /** Overwrites what is edited meanwhile. */
  force: boolean
  signal?: AbortSignal | undefined
  onProgress: (progress: Progress) => void
}

export interface Moved {
  move: Move
  conversation: string | null
  changes: FileChange[]
  kept: { path: string; reason: string }[]
  skipped: Snapshot['skipped']
  isRunning: boolean
}

/** Which session it is, and where the agent is in it. */
type MovePlan = Pick<Move, 'session' | 'from'>

interface Found {
  conversation: string | null
  transcript: string | null
  read?: CursorMove[]
}

/** Brings an agent, with its files or its conversation or both, to another place of its session; or leaves everything as it was. */
export class Mover {
  readonly #ports: MoverPorts
  readonly #busy = new Set<string>()

  constructor(ports: MoverPorts) {
    this.#ports = ports
  }

  async move(agent: Agent, way: Way, plan: MovePlan, options: MoveOptions): Promise<Moved> {
    this.#refuse(agent, way, options)
    const busy = [agent.id, ...(way.files === null ? [] : [way.files.root])]
    busy.forEach((one) => this.#busy.add(one))
    try {
      await this.#check(agent, way)
      return await this.#move(agent, way, plan, options)
    } finally {
      busy.forEach((one) => this.#busy.delete(one))
      this.#ports.onSettled(agent.id)
    }
  }

  /** Whether an agent is on its way: then nobody else may start it. */
  isMoving(agent: string): boolean {
    return this.#busy.has(agent)
  }

  /** What a daemon that died in the middle of it has left: the files go back, and what ran runs again. */
  async recover(moves: readonly KnownMove[]): Promise<void> {
    const newest = new Map(moves.map((one) => [one.move.agent.id, one]))
    const open = moves.filter((one) => one.state === 'open')
    for (const { move } of [...newest.values(), ...open]) this.#busy.add(move.agent.id)
    for (const one of open.filter((each) => newest.get(each.move.agent.id) !== each))
      await this.#fail(one.move, 'the daemon ended in the middle of it, and another move came after it')
    for (const one of newest.values()) {
      await this.#recover(one).catch((cause: unknown) => this.#ports.onTrouble(cause))
      this.#busy.delete(one.move.agent.id)
      this.#ports.onSettled(one.move.agent.id)
    }
  }

  async #recover({ move, state, endedAt }: KnownMove): Promise<void> {
    if (state === 'open') await this.#takeBack(move, 'the daemon ended in the middle of it', true)
    const agent = this.#ports.agent(move.agent.id)
    const isWaiting = agent?.state === 'stopped' && (endedAt === null || agent.since <= endedAt)
    if (move.wasRunning && isWaiting) await this.#ports.start(move.agent.id)
  }

  /** Before the agent is stopped for nothing. */
  async #check(agent: Agent, { files, chat }: Way): Promise<void> {
    if (chat?.kind === 'cut') this.#ports.checkCut(agent)
    if (files === null) return
    const shadow = await this.#ports.shadow(files.root)
    await shadow.same(files.snapshot.id, files.snapshot.id)
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
    const { id, state, host, until } = agent
    const isLaunched = (isAlive(state) || (state === 'crashed' && until !== null)) && host !== 'outside'
    const wasRunning = isLaunched && (way.chat !== null || (state !== 'idle' && state !== 'paused'))
    const move = await this.#begin(agent, way, plan, wasRunning)
    let done: Omit<Moved, 'isRunning'>
    try {
      done = await this.#carryOut(move, way, agent, options)
    } catch (cause) {
      if (wasRunning && this.#ports.agent(id)?.state === 'stopped')
        await this.#ports.start(id).catch((trouble: unknown) => this.#ports.onTrouble(trouble))
      throw cause
    }
    if (wasRunning) await this.#ports.start(id).catch((cause: unknown) => notStarted(agent, cause))
    return { ...done, isRunning: isLaunched }
  }

  /** Written before anything is done: whoever finds it open knows what to take back. */
  async #begin({ id, project, handle }: Agent, way: Way, plan: MovePlan, wasRunning: boolean): Promise<Move> {
    const { kind, of, part, to } = way
    const agent = { id, project, handle }
    const move = { id: this.#ports.newId('mov'), kind, of: of?.id ?? null, part, to, agent, wasRunning, ...plan }
    await this.#append(move, 'session.moving', { move: { ...move, files: null } })
    return { ...move, files: null }
  }

  /** From here on, what the files are now is what an undo brings back. */
  async #secure(move: Move, { root, snapshot }: NonNullable<Way['files']>, options: MoveOptions): Promise<Move> {
    const shadow = await this.#ports.shadow(root)
    const safety = await shadow.snapshot({ before: snapshot.id, ...workOf('saving the files', options) })
    const secured = { ...move, files: { root, safety: refOf(safety), target: snapshot } }
    await this.#append(move, 'session.moving', { move: secured })
    return secured
  }

  async #carryOut(begun: Move, way: Way, agent: Agent, options: MoveOptions): Promise<Omit<Moved, 'isRunning'>> {
    let [move, isTouched] = [begun, false]
    try {
      if (begun.wasRunning) await this.#ports.stop(agent.id)
      await this.#ports.settled(agent.id)
      if (way.files !== null) move = await this.#secure(begun, way.files, options)
      const found = way.chat === null ? null : await this.#chat(agent, way.chat)
      const files = move.files === null ? null : await this.#restore(move.files, options, () => (isTouched = true))
      const conversation = await this.#arrive(move, way, agent, found)
      return { move, conversation, changes: [], kept: [], skipped: [], ...files }
    } catch (cause) {
      await this.#takeBack(move, messageOf(cause), isTouched)
      throw cause
    }
  }

  /** The last step: before it all is as it was, after it all is done. */
  async #arrive(move: Move, way: Way, agent: Agent, found: Found | null): Promise<string | null> {
    const left = found === null ? [] : this.#ports.toldSince(agent.id, way.since)
    if (found !== null) await this.#ports.converse(agent.id, found.conversation, found.transcript)
    const conversation = found === null ? agent.conversation : found.conversation
    const continued =
      found?.conversation != null && way.chat?.kind === 'cut'
        ? [this.#continued(move, found.conversation, way.chat.from)]
        : []
    const moved = this.#record(move, 'session.moved', { move: move.id, conversation })
    await this.#ports.append([...continued, moved], found?.read)
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
      // All others were found out before a file was touched.
      if (!(cause instanceof SnapshotError) || cause.code === 'unverified') onTouched()
      throw cause
    }
  }

  async #chat(agent: Agent, chat: Chat): Promise<Found> {
    if (chat.kind === 'fresh') return { conversation: null, transcript: null }
    return chat.kind === 'whole' ? chat : this.#ports.cut(agent, chat)
  }

  /** Everything as it was; what is found in the files until then is kept as a snapshot. */
  async #takeBack(move: Move, reason: string, isTouched: boolean): Promise<void> {
    const { files, from, part, agent } = move
    const back = files === null || !isTouched ? untouched : await this.#restoreBack(files)
    const isElsewhere = part !== 'code' && this.#ports.agent(agent.id)?.conversation !== from.conversation
    const trouble = isElsewhere ? await this.#converseBack(agent.id, from.conversation) : null
    const why = [reason, back.why, trouble].filter((one) => one !== null).join('; ')
    await this.#fail(move, why, back.found, back.why !== null)
  }

  async #fail(move: Move, reason: string, found: string | null = null, filesStay = false): Promise<void> {
    await this.#append(move, 'session.failed', { move: move.id, reason, found, filesStay }).catch((cause: unknown) =>
      this.#ports.onTrouble(cause),
    )
  }

  async #converseBack(agent: string, conversation: string | null): Promise<string | null> {
    try {
      await this.#ports.converse(agent, conversation, null)
      return null
    } catch (cause) {
      return `its conversation stays, too: ${messageOf(cause)}`
    }
  }

  /** A file that is neither what it was nor what it was to be has been edited by somebody since: then all stay. */
  async #restoreBack({ root, safety, target }: MovedFiles): Promise<{ found: string | null; why: string | null }> {
    let found: string | null = null
    try {
      const shadow = await this.#ports.shadow(root)
      const now = await shadow.snapshot({ before: safety.id })
      found = now.id
      const unlike = new Set((await shadow.diff(now.id, target.id)).map((one) => one.path))
      const edited = (await shadow.diff(now.id, safety.id)).map((one) => one.path).filter((one) => unlike.has(one))
      if (edited.length > 0) return { found, why: `the files stay, for some were edited since: ${shown(edited)}` }
      await shadow.restore(safety.id, { since: now.id })
      return { found, why: null }
    } catch (cause) {
      return { found, why: `the files stay: ${messageOf(cause)}` }
    }
  }

  #continued(move: Move, conversation: string, from: Place): AnyNewRecord {
    return this.#record(move, 'session.continued', { session: move.session, conversation, from })
  }

  async #append<T extends 'session.moving' | 'session.failed'>(
    move: Pick<Move, 'agent'>,
    type: T,
    body: RecordBody<T>,
  ): Promise<void> {
    await this.#ports.append([this.#record(move, type, body)])
  }

  #record<T extends `session.${'moving' | 'moved' | 'failed' | 'continued'}`>(
    { agent }: Pick<Move, 'agent'>,
    type: T,
    body: RecordBody<T>,
  ): AnyNewRecord {
    const context = { id: this.#ports.newId('rec'), at: this.#ports.now(), actor: { kind: 'daemon' as const } }
    return newRecord(type, body, { ...context, agent: agent.id, project: agent.project }) as AnyNewRecord
  }
}

const refOf = ({ id, tree, head, branch }: Snapshot): SnapshotRef => ({ id, tree, head, branch })

const workOf = (what: string, { signal, onProgress }: MoveOptions) => ({
  signal,
  onProgress: ({ done, total }: { done: number; total: number }) => onProgress({ what, done, total }),
})

const notStarted = (agent: Agent, cause: unknown): never => {
  throw new ReinError(
    'failed',
    `It is done, but ${agent.handle} could not be started: ${messageOf(cause)}`,
    `Start it: ${continueCommand(agent)}. Or take it back: rein session undo ${fullName(agent)}`,
  )
}

const untouched = { found: null, why: null }

const shown = (paths: readonly string[]): string =>
  `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
