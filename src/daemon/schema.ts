import { agentProjector, agentTables } from '../agents/store.ts'
import { inboxProjector, inboxTables } from '../inbox/store.ts'
import type { Projector } from '../log/projector.ts'
import { agentIndex, logTables } from '../log/store.ts'
import type { Migration } from '../store/migrate.ts'

export const migrations: readonly Migration[] = [logTables, inboxTables, agentTables, agentIndex]
export const projectors: readonly Projector[] = [inboxProjector, agentProjector]
