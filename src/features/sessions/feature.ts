import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { byRein } from '../../contract/identity.ts'
import type { Agents } from '../../agents/agents.ts'
import type { Append, Base } from '../../base/base.ts'
import { newRecord, type RecordBody } from '../../contract/record.ts'
import type { bundleRoutes } from '../../contract/routes/bundles.ts'
import type { Here } from '../../contract/routes/fields.ts'
import type { replayRoutes } from '../../contract/routes/replay.ts'
import type { Handlers } from '../../contract/routes/route.ts'
import type { sessionRoutes } from '../../contract/routes/sessions.ts'
import { findDriver } from '../../drivers/registry.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { type Collected, collectAll } from './collector.ts'
import { Mover } from './mover.ts'
import { Recorder } from './recorder.ts'
import { Shadows } from './shadows.ts'
import { keyOf } from './snapshots/shadow-dir.ts'
import { allMoves } from './store.ts'
import { onBeat } from '../../base/util/beat.ts'
import type { Feature } from '../feature.ts'
import { exportSession } from './bundle-export.ts'
import { importSession, inspectBundle } from './bundle-import.ts'
import { Compactions } from './compactions.ts'
import * as sessionHandlers from './handlers.ts'
import * as moves from './move-handlers.ts'
import { agentPorts, isAtWork } from './move-ports.ts'
import type { SessionParts } from './parts.ts'
import { recording } from './recording.ts'
import { findTarget, isSessionName, type Target } from './target.ts'

interface Needs {
  inbox: { inbox: Pick<Inbox, 'openItems' | 'cancel'> }
  loops: Snapshots
  rules: Snapshots
}

/** Wants to know of each snapshot of an agent's files. */
interface Snapshots {
  saved(agent: string, tree: string): void
}

export interface SessionsApi {
  /** It is stopped only to go on elsewhere. */
  isMoving: (agent: string) => boolean
  /** Resolves when no snapshot of this agent's files is being taken. */
  settled: (agent: string) => Promise<void>
  /** Before an agent is started in a directory. */
  prepare: (cwd: string) => Promise<void>
  findTarget: (input: Here & { target: string }) => Promise<Target>
  isSessionName: (target: string) => boolean
}

type SessionRoutes = typeof sessionRoutes & typeof bundleRoutes & typeof replayRoutes

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** The snapshots of agents' files, and what goes back to them. */
export const sessions: Feature<'sessions', SessionRoutes, Needs, SessionsApi> = {
  name: 'sessions',
  create: (base, agents, others) => {
    const isEnabled = base.settings['sessions.enabled']
    const parts = createParts(base, agents, others)
    const { recorder, mover, compactions } = parts
    return {
      handlers: handlersOf(parts),
      responders: isEnabled ? [recorder.responder] : [],
      watchers: [
        compactions,
        {
          // Not every end of a turn calls a hook.
          onChange: (agent, before) => {
            const isOver = before !== null && isAtWork(before) && !isAtWork(agent)
            if (isEnabled && isOver) recorder.rested(agent.id)
          },
        },
      ],
      // What an earlier daemon had begun comes to an end, and what nobody needs any more is dropped once a day.
      start: () => {
        void mover.recover(allMoves(base.reader)).then(() => collectIfDue(parts))
        onBeat(hourMs, () => collectIfDue(parts))
      },
      api: {
        isMoving: (id) => mover.isMoving(id),
        settled: (id) => recorder.settled(id),
        prepare: async (cwd) => (isEnabled ? recorder.prepare(cwd) : undefined),
        findTarget: (input) => findTarget(parts, input),
        isSessionName: (target) => isSessionName(parts, target),
      },
    }
  },
}

const createParts = (base: Base, agents: Agents, others: Needs): SessionParts => {
  const { paths, settings, now, newId, reader } = base
  const dir = join(paths.state, 'snapshots')
  const shadows = new Shadows({
    dir,
    include: (settings['sessions.include'] ?? '').split(/\s+/).filter((glob) => glob !== ''),
    limits: { fileBytes: settings['sessions.max_file_bytes'] },
    ports: { now, env: process.env },
  })
  const append: Append = (records, cursors) => {
    for (const { type, agent, body } of records)
      if (type === 'session.snapshot' && agent !== null)
        for (const one of [others.rules, others.loops]) one.saved(agent, body.snapshot.tree)
    return base.append(records, cursors)
  }
  const onTrouble = base.troubleIn('sessions')
  const shadow = (tree: string) => shadows.of(tree)
  const agent = (id: string) => agents.supervisor.get(id)
  const recorder = new Recorder({ append, agent, driver: findDriver, shadow, now, newId, onTrouble })
  const movePorts = {
    ...agentPorts(base, agents, () => others.inbox.inbox),
    append,
    now,
    newId,
    // A directory that was deleted comes back with its files.
    shadow: (root: string) => {
      mkdirSync(root, { recursive: true })
      return shadows.of(root)
    },
    onTrouble,
    onSettled: agents.onSettled,
    settled: (id: string) => recorder.settled(id),
  }
  const record = (body: RecordBody<'session.dropped'>) =>
    newRecord('session.dropped', body, {
      id: newId('rec'),
      at: now(),
      actor: byRein,
      agent: null,
      project: null,
    })
  const placeOf = (root: string): string => join(dir, keyOf(root))
  const limits = { keepMs: settings['sessions.keep_days'] * dayMs, maxBytes: settings['sessions.max_bytes'] }
  const collecting = { db: reader, now, shadow, append, onTrouble, record, placeOf, ...limits }
  return {
    ...base,
    ...agents,
    shadows,
    recorder,
    mover: new Mover(movePorts),
    movePorts,
    compactions: new Compactions(),
    collectSessions: (onTree): Promise<Collected[]> => collectAll(collecting, onTree),
  }
}

/** A daemon may not live for a day: when it was done last is the time of a file. */
const collectIfDue = ({ paths, collectSessions, troubleIn }: SessionParts): void => {
  const mark = join(paths.state, 'snapshots-collected')
  const last = statSync(mark, { throwIfNoEntry: false })?.mtimeMs
  if (last !== undefined && Date.now() - last < dayMs) return
  writeFileSync(mark, '', { mode: 0o600 })
  if (last !== undefined) void collectSessions(() => undefined).catch(troubleIn('sessions'))
}

const handlersOf = (parts: SessionParts): Handlers<SessionRoutes> => ({
  sessions: ({ input }) => sessionHandlers.list(parts, input),
  session: ({ input }) => sessionHandlers.show(parts, input),
  sessionTurn: ({ input }) => sessionHandlers.showTurn(parts, input),
  sessionDiff: ({ input }) => sessionHandlers.diff(parts, input),
  searchSessions: ({ input }) => sessionHandlers.search(parts, input),
  rewind: ({ actor, input, signal }) => moves.rewind(parts, actor, input, signal),
  undo: ({ actor, input, signal }) => moves.back(parts, actor, 'undo', input, signal),
  redo: ({ actor, input, signal }) => moves.back(parts, actor, 'redo', input, signal),
  fork: ({ actor, input }) => moves.fork(parts, actor, input),
  compact: ({ actor, input, signal }) => moves.compact(parts, actor, input, signal),
  collectSessions: () => moves.collect(parts),
  exportSession: ({ actor, input }) => exportSession(parts, actor, input),
  importSession: ({ actor, input }) => importSession(parts, actor, input),
  inspectBundle: ({ input }) => inspectBundle(parts, input),
  recording: ({ input }) => recording(parts, input),
})
