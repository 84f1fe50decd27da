import type { Client } from '../../src/client/client.ts'
import type { AgentView } from '../../src/contract/routes/agents.ts'
import type { InboxItemView } from '../../src/contract/routes/directives.ts'
import type { PostedView } from '../../src/contract/routes/team.ts'
import { asReinError } from '../../src/contract/errors.ts'
import { manifest } from '../../src/contract/manifest.ts'
import type { LogRecord, RecordType } from '../../src/contract/record.ts'
import { actingAs, type Box, createBox, type Env, type OwnDaemon, select } from './harness.ts'

/** Nobody is woken unless a test wants that: agents stay idle, and what they are told stays in their inboxes. */
/** Nobody is woken, and nobody is told of its team at first. */
export const quiet: Env = { REIN_NOTIFY_ENABLED: 'false', REIN_TEAM_FIRST_PROMPT: '' }

export interface TeamBox extends Box {
  up(handle: string, more?: { cwd?: string; autoApprove?: boolean }): Promise<AgentView>
  /** A client that acts as this agent. */
  as(handle: string): Client
  /** Posts in `build`, as the user or as an agent. */
  say(text: string, as?: string): Promise<PostedView>
  /** What an agent was told of a kind, read or not. */
  told(handle: string, type: 'mention' | 'notice'): Promise<InboxItemView[]>
  /** How much of this waits for it. */
  waiting(handle: string, type: 'mention' | 'notice'): Promise<number>
  /** How many messages each member has not read in `build`. */
  unread(): Promise<Record<string, number>>
}

/** A project with the room `build` and agents that run: stand-ins that take whatever they are given. */
export const createTeam = async (
  handles: readonly string[],
  config: Env = {},
  ...atTheEnd: [((clean: () => void) => void)?]
): Promise<TeamBox> => {
  const box = createBox({ ...quiet, ...config }, ...atTheEnd)
  const team = { ...box, ...actions(box) }
  await Promise.all(handles.map((handle) => team.up(handle)))
  await idle(box, handles)
  await box.client().createRoom({ cwd: box.cwd, room: 'build', about: 'The build' })
  return team
}

const actions = (box: Box): Omit<TeamBox, keyof Box> => {
  const { cwd, env } = box
  const as = (handle: string): Client => box.client({ env: actingAs(box, handle) })
  const inbox = async (handle: string, type: string, all: boolean): Promise<InboxItemView[]> =>
    (await box.client().inbox({ target: handle, cwd, all })).filter((item) => item.type === type)
  return {
    up: (handle, more = {}) => {
      const request = { cwd, env: {}, args: [], ...more }
      return box.client().up({ handle, driver: 'claude', host: 'stream', request, env })
    },
    as,
    say: (text, handle) => (handle === undefined ? box.client() : as(handle)).post({ cwd, room: 'build', text }),
    told: (handle, type) => inbox(handle, type, true),
    waiting: async (handle, type) => (await inbox(handle, type, false)).length,
    unread: async () => {
      const members = await box.client().members({ cwd, room: 'build' })
      return Object.fromEntries(members.map(({ handle, unread }) => [handle, unread]))
    },
  }
}

const idle = async (box: Box, handles: readonly string[]): Promise<void> => {
  if (handles.length === 0) return
  for await (const { agents } of box.client().watch({ all: false }))
    if (agents.filter(({ state }) => state === 'idle').length === handles.length) return
}

/** The daemon gives way to one that ends as by `kill -9` at this point. */
export const doom = async (box: Box, point: string, config: Env = {}): Promise<OwnDaemon> => {
  await box.client().stop()
  return box.daemon({ env: { ...config, REIN_FAULT: point } })
}

/** What a request is refused with; null if it is not. */
export const codeOf = (asking: Promise<unknown>): Promise<string | null> =>
  asking.then(
    () => null,
    (cause: unknown) => asReinError(cause).code,
  )

/** Resolves with the first so many records of a type, or of those that match, when they are there. */
export const untilRecords = async <T extends RecordType>(
  box: Box,
  type: T,
  count: number,
  isMeant: (record: LogRecord<T>) => boolean = () => true,
): Promise<LogRecord<T>[]> => {
  const found: LogRecord<T>[] = []
  for await (const record of box.client().tail({ topic: manifest[type].topic, after: 0, follow: true })) {
    if (record.type === type && isMeant(record as LogRecord<T>)) found.push(record as LogRecord<T>)
    if (found.length === count) break
  }
  return found
}

/** How many there are on disk, whether a daemon runs or not. */
export const countRecords = ({ paths }: Box, type: RecordType): number =>
  select(paths, 'SELECT 1 FROM record WHERE type = ?', type).length
