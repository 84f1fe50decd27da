import type { RouteName } from '../contract/routes.ts'
import type {
  AckedView,
  AckEventsRequest,
  ArchivedView,
  BusStatusView,
  ControlView,
  CreateRoomRequest,
  CursorView,
  DecidedView,
  DecisionsView,
  EventsRequest,
  EventsView,
  MemberView,
  PauseRoomRequest,
  PostedView,
  PostRequest,
  PostsRequest,
  PostsView,
  PrunedView,
  PruneRequest,
  PublishedView,
  PublishRequest,
  RoomsChange,
  RoomView,
  WatchesRequest,
  WatchesView,
} from '../contract/routes/team.ts'

interface Here {
  cwd: string
}

type InRoom = Here & { room: string }

/** Rooms, the bus and what else several agents of a project have in common. */
export interface TeamClient {
  createRoom(input: CreateRoomRequest): Promise<RoomView>
  rooms(input: Here & { all?: boolean }): Promise<RoomView[]>
  /** All rooms now, with the newest posts of the one that is named, and again whenever something changed. */
  followRooms(input: Here & { room?: string }, signal?: AbortSignal): AsyncGenerator<RoomsChange>
  post(input: PostRequest): Promise<PostedView>
  /** Reading moves no cursor: whoever has shown it says so by `moveCursor`. */
  posts(input: PostsRequest): Promise<PostsView>
  moveCursor(input: InRoom & { upTo: number }): Promise<CursorView>
  members(input: InRoom): Promise<MemberView[]>
  archiveRoom(input: InRoom & { keep: number }): Promise<ArchivedView>
  pauseRoom(input: PauseRoomRequest): Promise<RoomView>
  publish(input: PublishRequest): Promise<PublishedView>
  events(input: EventsRequest): Promise<EventsView>
  ackEvents(input: AckEventsRequest): Promise<AckedView>
  busStatus(input: Here): Promise<BusStatusView>
  pruneEvents(input: PruneRequest): Promise<PrunedView>
  /** Without anything to set: only what the agent watches. */
  watches(input: WatchesRequest): Promise<WatchesView>
  control(input: Here & { target?: string; line: string }): Promise<ControlView[]>
  controls(input: Here & { target?: string }): Promise<ControlView[]>
  decide(input: Here & { text: string }): Promise<DecidedView>
  decisions(input: Here & { last?: number; search?: string }): Promise<DecisionsView>
}

type Ask = <T>(route: RouteName, call: { input: object }) => Promise<T>
type Listen = <T>(route: RouteName, call: { input: object; signal?: AbortSignal }) => AsyncGenerator<T>

export const createTeamClient = (ask: Ask, listen: Listen): TeamClient => ({
  createRoom: (input) => ask('createRoom', { input }),
  rooms: (input) => ask('rooms', { input }),
  followRooms: (input, signal) => listen('followRooms', { input, signal }),
  post: (input) => ask('post', { input }),
  posts: (input) => ask('posts', { input }),
  moveCursor: (input) => ask('moveCursor', { input }),
  members: (input) => ask('members', { input }),
  archiveRoom: (input) => ask('archiveRoom', { input }),
  pauseRoom: (input) => ask('pauseRoom', { input }),
  publish: (input) => ask('publish', { input }),
  events: (input) => ask('events', { input }),
  ackEvents: (input) => ask('ackEvents', { input }),
  busStatus: (input) => ask('busStatus', { input }),
  pruneEvents: (input) => ask('pruneEvents', { input }),
  watches: (input) => ask('watches', { input }),
  control: (input) => ask('control', { input }),
  controls: (input) => ask('controls', { input }),
  decide: (input) => ask('decide', { input }),
  decisions: (input) => ask('decisions', { input }),
})
