import { mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endLeftovers } from '../agents/leftovers.ts'
import type { Supervisor } from '../agents/supervisor.ts'
import { type Agent, isAlive } from '../contract/agent.ts'
import type { ConversationEntry } from '../contract/conversation.ts'
import { ReinError } from '../contract/errors.ts'
import { type AnyNewRecord, newRecord, type RecordBody } from '../contract/record.ts'
import { findDriver } from '../drivers/registry.ts'
import type { Inbox } from '../features/inbox/inbox.ts'
import { isClosed } from '../features/inbox/receipt.ts'
import { findItem } from '../features/inbox/store.ts'
import type { CursorMove } from '../base/log/writer.ts'
import { type Collected, collectAll } from '../features/sessions/collector.ts'
import { type Copied, Mover, type MoverPorts } from '../features/sessions/mover.ts'
import { Recorder } from '../features/sessions/recorder.ts'
import { Shadows } from '../features/sessions/shadows.ts'
import { keyOf } from '../features/sessions/snapshots/shadow-dir.ts'
import { allMoves, findConversation } from '../features/sessions/store.ts'
import { onBeat } from '../base/util/beat.ts'
import type { AgentWatcher } from '../agents/agent-watcher.ts'
import { findCli, launchContext } from '../agents/launching.ts'
import type { ServiceParts } from './services.ts'

interface SessionParts extends ServiceParts {
  supervisor: Supervisor
  inbox: Inbox
  append: (records: AnyNewRecord[], cursors?: CursorMove[]) => Promise<number[]>
  now: () => number
  newId: (prefix: string) => string
  onSettled: (agent: string) => void
}

export interface SessionServices {
  shadows: Shadows
  recorder: Recorder
  mover: Mover
  movePorts: MoverPorts & { cut(agent: Agent, chat: Parameters<MoverPorts['cut']>[1], cwd?: string): Promise<Copied> }
  compactions: Compactions
  rest: AgentWatcher
  collectSessions: (onTree: (done: number, total: number) => void) => Promise<Collected[]>
}

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** Puts together the snapshots of agents' files, and what goes back to them. */
export const composeSessions = (parts: SessionParts): SessionServices => {
  const { paths, settings, supervisor, append, now, newId, reader, journal } = parts
  const dir = join(paths.state, 'snapshots')
  const shadows = new Shadows({
    dir,
    include: (settings['sessions.include'] ?? '').split(/\s+/).filter((glob) => glob !== ''),
    limits: { fileBytes: settings['sessions.max_file_bytes'] },
    ports: { now, env: process.env },
  })
  const onTrouble = (cause: unknown): void => journal.write('trouble', { where: 'sessions', reason: String(cause) })
  const shadow = (tree: string) => shadows.of(tree)
  /** A directory that was deleted comes back with its files. */
  const restorable = (root: string) => {
    mkdirSync(root, { recursive: true })
    return shadows.of(root)
  }
  const recorder = new Recorder({
    append,
    agent: (id) => supervisor.get(id),
    driver: findDriver,
    shadow,
    now,
    newId,
    onTrouble,
  })
  const movePorts = {
    ...agentPorts(parts),
    append,
    now,
    newId,
    shadow: restorable,
    onTrouble,
    onSettled: parts.onSettled,
    settled: settledBy(recorder),
  }
  const collecting = {
    db: reader,
    now,
    shadow,
    append,
    onTrouble,
    record: (body: RecordBody<'session.dropped'>) =>
      newRecord('session.dropped', body, {
        id: newId('rec'),
        at: now(),
        actor: { kind: 'daemon' },
        agent: null,
        project: null,
      }),
    placeOf: (root: string) => join(dir, keyOf(root)),
    keepMs: settings['sessions.keep_days'] * dayMs,
    maxBytes: settings['sessions.max_bytes'],
  }
  return {
    shadows,
    recorder,
    mover: new Mover(movePorts),
    movePorts,
    compactions: new Compactions(),
    rest: restOf(recorder, settings['sessions.enabled']),
    collectSessions: (onTree) => collectAll(collecting, onTree),
  }
}

/** What an earlier daemon had begun comes to an end, and what nobody needs any more is dropped once a day. */
export const openSessions = (services: SessionServices & ServiceParts): void => {
  const { mover, reader } = services
  void mover.recover(allMoves(reader)).then(() => collectIfDue(services))
  onBeat(hourMs, () => collectIfDue(services))
}

/** A daemon may not live for a day: when it was done last is the time of a file. */
const collectIfDue = ({ paths, journal, collectSessions }: SessionServices & ServiceParts): void => {
  const mark = join(paths.state, 'snapshots-collected')
  const last = statSync(mark, { throwIfNoEntry: false })?.mtimeMs
  if (last !== undefined && Date.now() - last < dayMs) return
  writeFileSync(mark, '', { mode: 0o600 })
  if (last === undefined) return
  const onTrouble = (cause: unknown): void => journal.write('trouble', { where: 'sessions', reason: String(cause) })
  void collectSessions(() => undefined).catch(onTrouble)
}

/** Not every end of a turn calls a hook. */
const restOf = (recorder: Recorder, isEnabled: boolean): AgentWatcher => ({
  onChange: (agent, before) => {
    const isOver = before !== null && isAtWork(before) && !isAtWork(agent)
    if (isEnabled && isOver) recorder.rested(agent.id)
  },
})

const settledBy =
  (recorder: Recorder) =>
  (agent: string): Promise<void> =>
    recorder.settled(agent)

const agentPorts = (parts: SessionParts) => {
  const { supervisor, inbox, reader, settings } = parts
  return {
    agent: (id: string) => supervisor.get(id),
    othersAt: (root: string, agent: string) =>
      supervisor.agents.filter((one) => one.id !== agent && isAtWork(one) && isBelow(one.cwd, root)),
    otherIn: (agent: Agent, conversation: string) => supervisor.otherIn(agent, conversation),
    stop: async (id: string) => {
      await supervisor.down(id, settings['agents.stop_timeout_s'] * 1000)
      // A shell that outlives its agent would write on into what is restored.
      await endLeftovers(id)
    },
    start: async (id: string) => void (await supervisor.restart(id)),
    toldSince: (id: string, since: number) =>
      inbox
        .openItems(id)
        .filter(({ state, steps }) => (state === 'placed' || state === 'seen') && (steps.at(-1)?.at ?? 0) > since)
        .map(({ directive }) => directive.id),
    forget: async (directives: readonly string[]) => {
      for (const id of directives) {
        const item = findItem(reader, id)
        if (item !== undefined && !isClosed(item)) await inbox.cancel(item, { kind: 'daemon' })
      }
    },
    converse: (id: string, conversation: string | null, transcript: string | null) => {
      const known = conversation === null ? null : findConversation(reader, conversation)?.transcript
      return supervisor.goTo(id, conversation, transcript ?? known ?? null, 'rein session')
    },
    checkCut: (agent: Agent) => void cutterOf(agent),
    cut: (agent: Agent, chat: Parameters<MoverPorts['cut']>[1], cwd = agent.cwd) => copy(parts, agent, chat, cwd),
  }
}

const isAtWork = ({ state }: Agent): boolean => isAlive(state) && state !== 'idle' && state !== 'paused'
const isBelow = (dir: string, root: string): boolean => {
  try {
    const real = realpathSync(dir)
    return real === root || real.startsWith(`${root}/`)
  } catch {
    return false
  }
}

export const cutterOf = ({ driver: name, host: kind, version }: Agent) => {
  const driver = findDriver(name)
  const host = kind === 'outside' ? (driver.hosts[0] ?? 'stream') : kind
  if (driver.cut !== null && driver.capabilities(version, host).cut) return { driver, host, cut: driver.cut }
  const reason = driver.reasons(version, host).cut ?? 'its conversations cannot be cut'
  throw new ReinError('refused', `${driver.title}: ${reason}.`, 'Go back with the files alone: --code')
}

/** The CLI's own files are where its environment says, which for one that Rein starts is Rein's doing. */
const copy = async (
  parts: SessionParts,
  agent: Agent,
  { conversation, transcript, after }: Parameters<MoverPorts['cut']>[1],
  cwd: string,
): Promise<Copied> => {
  const { driver, host, cut } = cutterOf(agent)
  const own = parts.environment.of(agent.id)
  const context = launchContext(parts, driver, host, await findCli(parts, driver, host, own), own, agent, null)
  const env = agent.host === 'outside' ? own : driver.launch({ cwd, env: {}, args: [] }, context).env
  const { installed, newConversation } = context
  const made = await cut({ conversation, transcript, after, newConversation, cwd, env, installed })
  const topic = `file:${made.transcript}`
  const isFile = driver.transcript.format.kind !== 'rows'
  return { ...made, read: isFile ? [{ reader: 'turns', topic, position: statSync(made.transcript).size }] : [] }
}

/** Who waits for a conversation to be summed up. */
export class Compactions implements AgentWatcher {
  readonly #waiting = new Map<string, (isDone: boolean) => void>()

  onEntry(agent: Agent, { kind }: ConversationEntry): void {
    if (kind === 'compaction') this.#waiting.get(agent.id)?.(true)
  }

  onChange({ id, state }: Agent): void {
    if (!isAlive(state)) this.#waiting.get(id)?.(false)
  }

  /** Resolves at the next one; false if it does not come in time, or the agent ends. */
  next(agent: string, ms: number): Promise<boolean> {
    this.#waiting.get(agent)?.(false)
    return new Promise((resolve) => {
      const end = (isDone: boolean): void => {
        clearTimeout(timer)
        this.#waiting.delete(agent)
        resolve(isDone)
      }
      const timer = setTimeout(() => end(false), ms)
      this.#waiting.set(agent, end)
    })
  }
}
