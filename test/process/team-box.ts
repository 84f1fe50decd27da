import type { Client } from '../../src/client/client.ts'
import type { AgentView, InboxItemView } from '../../src/contract/api-types.ts'
import { type LogRecord, manifest, type RecordType } from '../../src/contract/record.ts'
import { actingAs, type Box, createBox, type Env } from './harness.ts'

/** Nobody is woken unless a test wants that: agents stay idle, and what they are told stays in their inboxes. */
const quiet: Env = { REIN_NOTIFY_ENABLED: 'false', REIN_TEAM_FIRST_PROMPT: '' }

export interface TeamBox extends Box {
  up(handle: string, more?: { cwd?: string; autoApprove?: boolean }): Promise<AgentView>
  /** A client that acts as this agent. */
  as(handle: string): Client
  /** What is in the inbox of an agent, open or not: mentions, or notices that something is unread. */
  told(handle: string, type: 'mention' | 'notice'): Promise<InboxItemView[]>
  /** How many messages each member has not read in `build`. */
  unread(): Promise<Record<string, number>>
}

/** A project with the room `build` and agents that run: stand-ins that take whatever they are given. */
export const createTeam = async (handles: readonly string[], config: Env = {}): Promise<TeamBox> => {
  const box = createBox({ ...quiet, ...config })
  const team: TeamBox = { ...box, ...actions(box) }
  await Promise.all(handles.map((handle) => team.up(handle)))
  await idle(box, handles)
  await box.client().createRoom({ cwd: box.cwd, room: 'build', about: 'The build' })
  return team
}

const actions = (box: Box): Omit<TeamBox, keyof Box> => ({
  up: (handle, { cwd = box.cwd, ...more } = {}) =>
    box.client().up({
      handle,
      driver: 'claude',
      host: 'stream',
      request: { cwd, env: {}, args: [], ...more },
      env: box.env,
    }),
  as: (handle) => box.client({ env: actingAs(box, handle) }),
  told: async (handle, type) => {
    const items = await box.client().inbox({ target: handle, cwd: box.cwd, all: true })
    return items.filter((item) => item.type === type)
  },
  unread: async () => {
    const members = await box.client().members({ cwd: box.cwd, room: 'build' })
    return Object.fromEntries(members.map(({ handle, unread }) => [handle, unread]))
  },
})

/** Resolves when all of them are idle. */
export const idle = async (box: Box, handles: readonly string[]): Promise<void> => {
  if (handles.length === 0) return
  for await (const { agents } of box.client().watch({ all: false })) {
    const found = agents.filter(({ handle, state }) => state === 'idle' && handles.includes(handle))
    if (found.length === handles.length) return
  }
}

/** Resolves with the first so many records of a type, when they are there. */
export const untilRecords = async <T extends RecordType>(box: Box, type: T, count: number): Promise<LogRecord<T>[]> => {
  const found: LogRecord<T>[] = []
  for await (const record of box.client().tail(manifest[type].topic, { after: 0, follow: true })) {
    if (record.type === type) found.push(record as LogRecord<T>)
    if (found.length === count) break
  }
  return found
}
