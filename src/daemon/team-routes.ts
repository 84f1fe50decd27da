import * as api from '../contract/team-api.ts'
import * as bus from './handlers/bus.ts'
import * as rooms from './handlers/rooms.ts'
import * as team from './handlers/team.ts'
import { body, type Lines, type On, query } from './requests.ts'
import type { Services } from './services.ts'

/** Rooms, the bus, and what a team decides. */
export const teamRoutes = (services: Services, on: On, lines: Lines): void => {
  on('createRoom', async (c, actor) => c.json(await rooms.create(services, actor, await body(c, api.CreateRoomInput))))
  on('rooms', async (c, actor) => c.json(await rooms.list(services, actor, query(c, api.RoomsInput))))
  on('followRooms', (c, actor) =>
    lines(c, (signal) => rooms.follow(services, actor, query(c, api.FollowRoomsInput), signal)),
  )
  on('post', async (c, actor) => c.json(await rooms.post(services, actor, await body(c, api.PostInput))))
  on('posts', async (c, actor) => c.json(await rooms.posts(services, actor, query(c, api.PostsInput))))
  on('moveCursor', async (c, actor) => c.json(await rooms.moveCursor(services, actor, await body(c, api.CursorInput))))
  on('members', async (c, actor) => c.json(await rooms.members(services, actor, query(c, api.MembersInput))))
  on('archiveRoom', async (c, actor) => c.json(await rooms.archive(services, actor, await body(c, api.ArchiveInput))))
  on('pauseRoom', async (c, actor) => c.json(await rooms.pause(services, actor, await body(c, api.PauseRoomInput))))
  on('publish', async (c, actor) => c.json(await bus.publish(services, actor, await body(c, api.PublishInput))))
  on('events', async (c, actor) => c.json(await bus.events(services, actor, await body(c, api.EventsInput))))
  on('ackEvents', async (c, actor) => c.json(await bus.ack(services, actor, await body(c, api.AckEventInput))))
  on('busStatus', async (c, actor) => c.json(await bus.status(services, actor, query(c, api.HereInput))))
  on('pruneEvents', async (c, actor) => c.json(await bus.prune(services, actor, await body(c, api.PruneInput))))
  on('watches', async (c, actor) => c.json(await team.watches(services, actor, await body(c, api.WatchesInput))))
  on('control', async (c, actor) => c.json(await team.control(services, actor, await body(c, api.ControlInput))))
  on('controls', async (c, actor) => c.json(await team.controls(services, actor, query(c, api.ControlsInput))))
  on('decide', async (c, actor) => c.json(await team.decide(services, actor, await body(c, api.DecideInput))))
  on('decisions', async (c, actor) => c.json(await team.decisions(services, actor, query(c, api.DecisionsInput))))
}
