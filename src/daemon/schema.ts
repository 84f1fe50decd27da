import { agentProjector, agentTables } from '../agents/store.ts'
import { inboxProjector, inboxTables } from '../inbox/store.ts'
import type { Projector } from '../log/projector.ts'
import { logTables } from '../log/store.ts'
import type { Migration } from '../store/migrate.ts'

export const migrations: readonly Migration[] = [logTables, inboxTables, agentTables]
export const projectors: readonly Projector[] = [inboxProjector, agentProjector]
