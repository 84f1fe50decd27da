import {
  AckEventInput,
  ArchiveInput,
  ControlInput,
  ControlsInput,
  CreateRoomInput,
  CursorInput,
  DecideInput,
  DecisionsInput,
  EventsInput,
  FollowRoomsInput,
  MembersInput,
  PauseRoomInput,
  PostInput,
  PostsInput,
  PruneInput,
  PublishInput,
  RoomsInput,
  WatchesInput,
} from '../contract/routes/team.ts'
import { HereInput } from '../contract/routes/fields.ts'
import * as bus from './handlers/bus.ts'
import * as rooms from './handlers/rooms.ts'
import * as team from './handlers/team.ts'
import { body, type Lines, type On, query } from './requests.ts'
import type { Services } from './services.ts'

/** Rooms, the bus, and what a team decides. */
export const teamRoutes = (services: Services, on: On, lines: Lines): void => {
  on('createRoom', async (c, actor) => c.json(await rooms.create(services, actor, await body(c, CreateRoomInput))))
  on('rooms', async (c, actor) => c.json(await rooms.list(services, actor, query(c, RoomsInput))))
  on('followRooms', (c, actor) =>
    lines(c, (signal) => rooms.follow(services, actor, query(c, FollowRoomsInput), signal)),
  )
  on('post', async (c, actor) => c.json(await rooms.post(services, actor, await body(c, PostInput))))
  on('posts', async (c, actor) => c.json(await rooms.posts(services, actor, query(c, PostsInput))))
  on('moveCursor', async (c, actor) => c.json(await rooms.moveCursor(services, actor, await body(c, CursorInput))))
  on('members', async (c, actor) => c.json(await rooms.members(services, actor, query(c, MembersInput))))
  on('archiveRoom', async (c, actor) => c.json(await rooms.archive(services, actor, await body(c, ArchiveInput))))
  on('pauseRoom', async (c, actor) => c.json(await rooms.pause(services, actor, await body(c, PauseRoomInput))))
  on('publish', async (c, actor) => c.json(await bus.publish(services, actor, await body(c, PublishInput))))
  on('events', async (c, actor) => c.json(await bus.events(services, actor, await body(c, EventsInput))))
  on('ackEvents', async (c, actor) => c.json(await bus.ack(services, actor, await body(c, AckEventInput))))
  on('busStatus', async (c, actor) => c.json(await bus.status(services, actor, query(c, HereInput))))
  on('pruneEvents', async (c, actor) => c.json(await bus.prune(services, actor, await body(c, PruneInput))))
  on('watches', async (c, actor) => c.json(await team.watches(services, actor, await body(c, WatchesInput))))
  on('control', async (c, actor) => c.json(await team.control(services, actor, await body(c, ControlInput))))
  on('controls', async (c, actor) => c.json(await team.controls(services, actor, query(c, ControlsInput))))
  on('decide', async (c, actor) => c.json(await team.decide(services, actor, await body(c, DecideInput))))
  on('decisions', async (c, actor) => c.json(await team.decisions(services, actor, query(c, DecisionsInput))))
}
