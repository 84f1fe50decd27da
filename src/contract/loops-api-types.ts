import type { z } from 'zod'
import type * as api from './loops-api.ts'

/** The shapes of loops-api.ts for callers that must not load the schemas. */
export type LoopsRequest = z.input<typeof api.LoopsInput>
export type LoopView = z.infer<typeof api.LoopView>
