import { agentProjector, agentTables } from '../agents/store.ts'
import { channelProjector, channelTables } from '../channels/store.ts'
import { inboxProjector, inboxTables, openDirectives } from '../inbox/store.ts'
import type { Projector } from '../log/projector.ts'
import { agentIndex, logTables } from '../log/store.ts'
import type { Migration } from '../store/migrate.ts'

export const migrations: readonly Migration[] = [
  logTables,
  inboxTables,
  agentTables,
  agentIndex,
  openDirectives,
  channelTables,
]
export const projectors: readonly Projector[] = [inboxProjector, agentProjector, channelProjector]
