import type { z } from 'zod'
import type * as api from './memory-api.ts'

/** The shapes of memory-api.ts for callers that must not load the schemas. */
export type IngestRequest = z.input<typeof api.IngestInput>
export type Ingested = z.infer<typeof api.IngestOutput>
export type ShellSessionRequest = z.input<typeof api.ShellSessionInput>
export type ShellSessionView = z.infer<typeof api.ShellSessionOutput>
export type SuggestRequest = z.input<typeof api.SuggestInput>
export type SuggestionView = z.infer<typeof api.Suggestion>
export type HistoryRequest = z.input<typeof api.HistoryInput>
export type HistoryView = z.infer<typeof api.HistoryItem>
export type DiagnoseRequest = z.input<typeof api.DiagnoseInput>
export type DiagnosisView = z.infer<typeof api.DiagnoseOutput>
export type ProjectRequest = z.input<typeof api.ProjectInput>
export type ProjectView = z.infer<typeof api.ProjectOutput>
export type ProjectCommandView = z.infer<typeof api.ProjectCommand>
export type ForgetRequest = z.input<typeof api.ForgetInput>
export type Forgotten = z.infer<typeof api.ForgetOutput>
export type StatsRequest = z.input<typeof api.StatsInput>
export type StatsView = z.infer<typeof api.StatsOutput>
export type ConductView = z.infer<typeof api.Conduct>
export type AdviceLogRequest = z.input<typeof api.AdviceLogInput>
export type AdviceView = z.infer<typeof api.AdviceItem>
export type EvalView = z.infer<typeof api.EvalOutput>
export type WasteView = z.infer<typeof api.WasteOutput>
export type ImportView = z.infer<typeof api.ImportOutput>
