import type { z } from 'zod'
import type * as api from './run-api.ts'

/** The shapes of run-api.ts for callers that must not load the schemas. */
export type RunSummary = z.infer<typeof api.RunSummary>
