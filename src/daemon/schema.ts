import { projectProjector, projectTables } from '../agents/projects/store.ts'
import { agentProjector, agentTables, allAgents } from '../agents/state/store.ts'
import {
  allAdapters,
  allChannels,
  channelProjector,
  channelTables,
  defaultRoute,
  heldMessages,
  outgoingItems,
} from '../features/channels/store.ts'
import { inboxProjector, inboxTables, openDirectives, openItems } from '../features/inbox/store.ts'
import type { Projector } from '../base/log/projector.ts'
import { damagedTable } from '../base/log/repair/store.ts'
import { agentIndex, logTables } from '../base/log/store.ts'
import { memoryProjector, memoryTables, peopleIndex } from '../features/memory/store.ts'
import { allMoves, sessionProjector, sessionTables } from '../features/sessions/store.ts'
import type { Migration } from '../base/store/migrate.ts'
import type { Database } from '../base/store/sqlite.ts'
import { allTasks, taskProjector, taskTables } from '../features/tasks/store.ts'
import { busProjector, busTables } from '../features/team/bus/store.ts'
import { leaseProjector, leaseTables, openLeases } from '../features/leases/store.ts'
import { allRooms, roomProjector, roomTables } from '../features/team/rooms/store.ts'
import { allWatches, teamProjector, teamTables } from '../features/team/store.ts'

export const migrations: readonly Migration[] = [
  logTables,
  inboxTables,
  agentTables,
  agentIndex,
  openDirectives,
  channelTables,
  roomTables,
  busTables,
  teamTables,
  sessionTables,
  memoryTables,
  taskTables,
  leaseTables,
  projectTables,
  peopleIndex,
  damagedTable,
]
export const projectors: readonly Projector[] = [
  inboxProjector,
  agentProjector,
  channelProjector,
  roomProjector,
  busProjector,
  teamProjector,
  sessionProjector,
  memoryProjector,
  taskProjector,
  leaseProjector,
  projectProjector,
]

/** Where tables of state hold JSON. */
export const jsonColumns: readonly (readonly [string, string])[] = [
  ['directive', 'item'],
  ['agent', 'agent'],
  ['channel', 'channel'],
  ['adapter', 'adapter'],
  ['channel_default', 'route'],
  ['message', 'message'],
  ['outgoing', 'item'],
  ['room', 'room'],
  ['post', 'post'],
  ['bus_event', 'item'],
  ['watch', 'watch'],
  ['decision', 'decision'],
  ['session_snapshot', 'snapshot'],
  ['session_move', 'move'],
  ['command', 'tools'],
  ['command', 'edited'],
  ['advice', 'suggestions'],
  ['task', 'task'],
  ['lease', 'lease'],
]

/** Reads the state that a daemon starts with: it throws where that one would. */
export const readState = (db: Database): void => {
  for (const read of [allAgents, openItems, allChannels, allAdapters, defaultRoute, heldMessages, openLeases, allMoves])
    read(db)
  outgoingItems(db, 'pending', null)
  allWatches(db)
  allRooms(db, null)
  allTasks(db, null)
}
