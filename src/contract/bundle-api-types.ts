import type { z } from 'zod'
import type * as api from './bundle-api.ts'

/** The shapes of bundle-api.ts for callers that must not load the schemas. */
export type ExportRequest = z.input<typeof api.ExportInput>
export type ExportedView = z.infer<typeof api.ExportOutput>
export type InspectRequest = z.input<typeof api.InspectInput>
export type InspectedView = z.infer<typeof api.InspectOutput>
export type ImportRequest = z.input<typeof api.ImportInput>
export type ImportedView = z.infer<typeof api.ImportOutput>
export type BundleView = InspectedView['bundle']
