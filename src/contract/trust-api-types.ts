import type { z } from 'zod'
import type * as api from './trust-api.ts'

/** The shapes of trust-api.ts for callers that must not load the schemas. */
export type TrustView = z.infer<typeof api.TrustOutput>
export type TrustListView = z.infer<typeof api.TrustListOutput>
export type TrustRevokeView = z.infer<typeof api.TrustRevokeOutput>
