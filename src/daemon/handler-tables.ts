import type { AllRoutes } from '../contract/routes/all.ts'
import type { agentRoutes } from '../contract/routes/agents.ts'
import type { channelRoutes } from '../contract/routes/channels.ts'
import type { daemonRoutes } from '../contract/routes/daemon.ts'
import type { deploymentRoutes } from '../contract/routes/deployments.ts'
import type { directiveRoutes } from '../contract/routes/directives.ts'
import type { runRoutes } from '../contract/routes/run.ts'
import type { storyRoutes } from '../contract/routes/story.ts'
import type { taskRoutes } from '../contract/routes/tasks.ts'
import type { teamRoutes } from '../contract/routes/team.ts'
import * as agents from './handlers/agents.ts'
import * as bus from './handlers/bus.ts'
import * as channels from './handlers/channels.ts'
import { context } from './handlers/context.ts'
import * as daemon from './handlers/daemon.ts'
import * as deployment from './handlers/deployment.ts'
import * as directives from './handlers/directives.ts'
import { doctor } from './handlers/doctor.ts'
import { orchestrate } from './handlers/orchestrate.ts'
import * as rooms from './handlers/rooms.ts'
import * as run from './handlers/run.ts'
import { story } from './handlers/story.ts'
import { attach } from './handlers/task-layout.ts'
import { tellLead } from './handlers/task-messages.ts'
import * as pauses from './handlers/task-pause.ts'
import * as tasks from './handlers/tasks.ts'
import * as teamFile from './handlers/team-file.ts'
import { up } from './handlers/team-up.ts'
import * as team from './handlers/team.ts'
import { watch } from './handlers/watch.ts'
import type { Handlers } from '../contract/routes/route.ts'
import type { Services } from './services.ts'

export interface Ending {
  /** Aborted when the daemon begins to end. */
  ending: AbortSignal
  stop: () => void
}

/** These look at more of a request than its card says. */
type BoundByHand = 'hello' | 'receive'

/** Who answers what: a handler that is missing, or does not fit its card, is an error of types. */
export const handlersOf = (services: Services, { ending, stop }: Ending): Handlers<Omit<AllRoutes, BoundByHand>> => ({
  ...services.features.handlers,
  ...daemonHandlers(services, stop),
  ...deploymentHandlers(services),
  ...agentHandlers(services),
  ...runHandlers(services, ending),
  ...directiveHandlers(services),
  ...channelHandlers(services),
  ...teamHandlers(services),
  ...taskHandlers(services),
  ...otherHandlers(services),
})

const daemonHandlers = (services: Services, stop: () => void): Handlers<Omit<typeof daemonRoutes, 'hello'>> => ({
  status: () => daemon.status(services),
  stop: () => {
    setImmediate(stop)
    return { stopped: true, pid: process.pid, killed: false }
  },
  rebuild: () => daemon.rebuild(services),
  doctor: ({ input }) => doctor(services, input),
  tail: ({ params, input, signal }) => daemon.tail(services, params.topic, input, signal),
})

const deploymentHandlers = (services: Services): Handlers<typeof deploymentRoutes> => ({
  setup: ({ input }) => deployment.setup(services, input),
  cleanup: ({ input }) => deployment.cleanup(services, input),
  update: ({ input }) => deployment.update(services, input),
})

const agentHandlers = (services: Services): Handlers<typeof agentRoutes> => ({
  up: ({ input }) => {
    void deployment.refresh(services)
    return agents.up(services, input)
  },
  ps: ({ input }) => agents.ps(services, input),
  watch: ({ input, signal }) => watch(services, input, signal),
  down: ({ input }) => agents.down(services, input),
  restart: ({ input }) => agents.restart(services, input),
  resume: ({ input }) => agents.resume(services, input),
  pause: ({ input }) => agents.pause(services, input),
  unpause: ({ input }) => agents.unpause(services, input),
  answer: ({ input }) => agents.answer(services, input),
  interrupt: ({ input }) => agents.interrupt(services, input),
  attach: ({ input }) => attach(services, input),
  context: ({ actor, input }) => context(services, actor, input),
  logs: ({ actor, input, signal }) => agents.logs(services, actor, input, signal),
})

const runHandlers = (services: Services, ending: AbortSignal): Handlers<typeof runRoutes> => ({
  live: ({ input, signal }) => run.live(services, input, signal, ending),
  prompt: ({ input }) => run.prompt(services, input),
  decideRun: ({ actor, input }) => run.decideRun(services, actor, input),
})

const directiveHandlers = (services: Services): Handlers<typeof directiveRoutes> => ({
  tell: ({ actor, input }) => directives.tell(services, actor, input),
  inbox: ({ actor, input }) => directives.inbox(services, actor, input),
  receipt: ({ params }) => directives.receipt(services, params.id),
  follow: ({ params, input, signal }) => directives.follow(services, params.id, input, signal),
  read: ({ actor, params, input }) => directives.read(services, actor, params.id, input),
  ack: ({ actor, params, input }) => directives.ack(services, actor, params.id, input),
  cancel: ({ actor, params }) => directives.cancel(services, actor, params.id),
})

const channelHandlers = (services: Services): Handlers<Omit<typeof channelRoutes, 'receive'>> => ({
  channels: () => channels.list(services),
  createChannel: ({ actor, input }) => channels.create(services, actor, input),
  removeChannel: ({ actor, params }) => channels.remove(services, actor, params.name),
  routeChannel: ({ actor, params, input }) => channels.route(services, actor, params.name, input),
  defaultRoute: ({ actor, input }) => channels.setDefault(services, actor, input),
  channelToken: ({ actor, params, input }) => channels.token(services, actor, params.name, input),
  sendOut: ({ actor, params, input }) => channels.send(services, actor, params.name, input),
  take: ({ params, input, signal }) => channels.take(services, params.name, input, signal),
  settle: ({ actor, input }) => channels.settle(services, actor, input),
  dead: ({ input }) => channels.dead(services, input.channel ?? null),
  retry: ({ actor, params }) => channels.retry(services, actor, params.id),
  tailChannel: ({ params, input, signal }) => channels.tail(services, params.name, input, signal),
  adapters: () => services.adapters.all,
  runAdapter: ({ actor, input: { env, ...entry } }) => services.adapters.run(entry, env, actor),
  stopAdapter: ({ actor, params }) => services.adapters.stop(params.name, actor),
  followTurns: ({ input, signal }) => channels.turns(services, input, signal),
})

const teamHandlers = (services: Services): Handlers<typeof teamRoutes> => ({
  createRoom: ({ actor, input }) => rooms.create(services, actor, input),
  rooms: ({ actor, input }) => rooms.list(services, actor, input),
  followRooms: ({ actor, input, signal }) => rooms.follow(services, actor, input, signal),
  post: ({ actor, input }) => rooms.post(services, actor, input),
  posts: ({ actor, input }) => rooms.posts(services, actor, input),
  moveCursor: ({ actor, input }) => rooms.moveCursor(services, actor, input),
  members: ({ actor, input }) => rooms.members(services, actor, input),
  archiveRoom: ({ actor, input }) => rooms.archive(services, actor, input),
  pauseRoom: ({ actor, input }) => rooms.pause(services, actor, input),
  publish: ({ actor, input }) => bus.publish(services, actor, input),
  events: ({ actor, input }) => bus.events(services, actor, input),
  ackEvents: ({ actor, input }) => bus.ack(services, actor, input),
  busStatus: ({ actor, input }) => bus.status(services, actor, input),
  pruneEvents: ({ actor, input }) => bus.prune(services, actor, input),
  watches: ({ actor, input }) => team.watches(services, actor, input),
  control: ({ actor, input }) => team.control(services, actor, input),
  controls: ({ actor, input }) => team.controls(services, actor, input),
  decide: ({ actor, input }) => team.decide(services, actor, input),
  decisions: ({ actor, input }) => team.decisions(services, actor, input),
})

const taskHandlers = (services: Services): Handlers<typeof taskRoutes> => ({
  newTask: ({ actor, input }) => tasks.create(services, actor, input),
  tasks: ({ actor, input }) => tasks.list(services, actor, input),
  task: ({ actor, input }) => tasks.show(services, actor, input),
  startTask: ({ actor, input }) => tasks.start(services, actor, input),
  pauseTask: ({ actor, input }) => pauses.pause(services, actor, input),
  unpauseTask: ({ actor, input }) => pauses.unpause(services, actor, input),
  stopTask: ({ actor, input }) => tasks.stop(services, actor, input),
  finishTask: ({ actor, input }) => tasks.finish(services, actor, input),
  orchestrate: ({ actor, input }) => orchestrate(services, actor, input),
  tellLead: ({ actor, input }) => tellLead(services, actor, input),
  teamUp: ({ actor, input }) => up(services, actor, input),
  teamDown: ({ actor, input }) => teamFile.down(services, actor, input),
  teamStatus: ({ actor, input }) => teamFile.status(services, actor, input),
})

type OtherRoutes = typeof storyRoutes

const otherHandlers = (services: Services): Handlers<OtherRoutes> => ({
  story: ({ actor, input }) => story(services, actor, input),
})
