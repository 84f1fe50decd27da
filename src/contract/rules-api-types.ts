import type { z } from 'zod'
import type * as api from './rules-api.ts'

/** The shapes of rules-api.ts for callers that must not load the schemas. */
export type ExplainRequest = z.input<typeof api.ExplainInput>
export type Explanation = z.infer<typeof api.Explanation>
