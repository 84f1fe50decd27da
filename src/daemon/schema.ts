import { projectProjector, projectTables } from '../agents/projects/store.ts'
import { agentProjector, agentTables } from '../agents/store.ts'
import { channelProjector, channelTables } from '../channels/store.ts'
import { inboxProjector, inboxTables, openDirectives } from '../inbox/store.ts'
import type { Projector } from '../log/projector.ts'
import { agentIndex, logTables } from '../log/store.ts'
import { memoryProjector, memoryTables, peopleIndex } from '../memory/store.ts'
import { sessionProjector, sessionTables } from '../sessions/store.ts'
import type { Migration } from '../store/migrate.ts'
import { taskProjector, taskTables } from '../tasks/store.ts'
import { busProjector, busTables } from '../team/bus/store.ts'
import { leaseProjector, leaseTables } from '../team/leases/store.ts'
import { roomProjector, roomTables } from '../team/rooms/store.ts'
import { teamProjector, teamTables } from '../team/store.ts'

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
