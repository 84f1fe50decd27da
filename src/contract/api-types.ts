import type { z } from 'zod'
import type * as api from './api.ts'
import type { RepairOutput } from './repair-api.ts'

/** The shapes of api.ts for callers that must not load the schemas. */
export type Hello = z.infer<typeof api.HelloOutput>
export type Status = z.infer<typeof api.StatusOutput>
export type Stopped = z.infer<typeof api.StopOutput>
export type Rebuilt = z.infer<typeof api.RebuildOutput>
export type RepairView = z.infer<typeof RepairOutput>
export type UpRequest = z.input<typeof api.UpInput>
export type AgentView = z.infer<typeof api.AgentOutput>
export type AgentDetail = z.infer<typeof api.AgentDetail>
export type Resumed = z.infer<typeof api.ResumeOutput>[number]
export type Attach = z.infer<typeof api.AttachOutput>
export type ContextView = z.infer<typeof api.ContextOutput>
export type TellRequest = z.input<typeof api.TellInput>
export type Told = z.infer<typeof api.TellOutput>
export type InboxItemView = z.infer<typeof api.InboxItem>
export type ReadView = z.infer<typeof api.ReadOutput>
export type ChannelView = z.infer<typeof api.ChannelOutput>
export type ChannelsView = z.infer<typeof api.ChannelsOutput>
export type CreateChannelRequest = z.input<typeof api.CreateChannelInput>
export type RouteRequest = z.input<typeof api.RouteInput>
export type ReceivedView = z.infer<typeof api.ReceiveOutput>
export type SentView = z.infer<typeof api.SendOutOutput>
export type TakeRequest = z.input<typeof api.TakeInput>
export type SettleRequest = z.input<typeof api.SettleInput>
export type OutgoingView = z.infer<typeof api.OutgoingOutput>
export type TokenRequest = z.input<typeof api.TokenInput>
export type TokenView = z.infer<typeof api.TokenOutput>
export type AdapterView = z.infer<typeof api.AdapterOutput>
export type RunAdapterRequest = z.input<typeof api.RunAdapterInput>
export type DoctorRequest = z.input<typeof api.DoctorInput>
export type DoctorView = z.infer<typeof api.DoctorOutput>
export type SetupRequest = z.input<typeof api.SetupInput>
export type DeployView = z.infer<typeof api.DeployOutput>
export type ServiceView = z.infer<typeof api.ServiceOutput>
export type PathsView = z.infer<typeof api.PathsOutput>
export type ConfigItemView = z.infer<typeof api.ConfigItem>
