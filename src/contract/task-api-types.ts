import type { z } from 'zod'
import type * as api from './task-api.ts'

/** The shapes of task-api.ts for callers that must not load the schemas. */
export type TeamLaunchRequest = z.input<typeof api.TeamLaunch>
export type NewTaskRequest = z.input<typeof api.NewTaskInput>
export type StartTaskRequest = z.input<typeof api.StartTaskInput>
export type PauseTaskRequest = z.input<typeof api.PauseTaskInput>
export type StopTaskRequest = z.input<typeof api.StopTaskInput>
export type OrchestrateRequest = z.input<typeof api.OrchestrateInput>
export type TellLeadRequest = z.input<typeof api.TellLeadInput>
export type TaskMemberView = z.infer<typeof api.TaskMemberOutput>
export type TaskView = z.infer<typeof api.TaskOutput>
export type TeamUpRequest = z.input<typeof api.TeamUpInput>
export type TeamView = z.infer<typeof api.TeamOutput>
