import type { z } from 'zod'
import type * as api from './team-api.ts'

/** The shapes of team-api.ts for callers that must not load the schemas. */
export type CreateRoomRequest = z.input<typeof api.CreateRoomInput>
export type RoomView = z.infer<typeof api.RoomOutput>
export type PostRequest = z.input<typeof api.PostInput>
export type PostedView = z.infer<typeof api.PostOutput>
export type PostsRequest = z.input<typeof api.PostsInput>
export type PostView = z.infer<typeof api.PostView>
export type PostsView = z.infer<typeof api.PostsOutput>
export type CursorView = z.infer<typeof api.CursorOutput>
export type MemberView = z.infer<typeof api.MembersOutput>[number]
export type ArchivedView = z.infer<typeof api.ArchiveOutput>
export type PauseRoomRequest = z.input<typeof api.PauseRoomInput>
export type PublishRequest = z.input<typeof api.PublishInput>
export type PublishedView = z.infer<typeof api.PublishOutput>
export type EventsRequest = z.input<typeof api.EventsInput>
export type EventView = z.infer<typeof api.EventView>
export type EventsView = z.infer<typeof api.EventsOutput>
export type AckEventsRequest = z.input<typeof api.AckEventInput>
export type AckedView = z.infer<typeof api.AckEventOutput>
export type BusStatusView = z.infer<typeof api.BusStatusOutput>
export type PruneRequest = z.input<typeof api.PruneInput>
export type PrunedView = z.infer<typeof api.PruneOutput>
export type WatchesRequest = z.input<typeof api.WatchesInput>
export type WatchesView = z.infer<typeof api.WatchesOutput>
export type ControlView = z.infer<typeof api.ControlOutput>[number]
export type DecisionView = z.infer<typeof api.DecisionOutput>
export type DecidedView = z.infer<typeof api.DecideOutput>
export type DecisionsView = z.infer<typeof api.DecisionsOutput>

/** What changed: all rooms, and what is new in the one that is followed (at first its newest posts). */
export interface RoomsChange {
  rooms: RoomView[]
  room: string | null
  posts: PostView[]
}
