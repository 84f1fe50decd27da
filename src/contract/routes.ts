/** Every way to ask the daemon something; the schemas of what goes in and out are in api.ts. */
export const routes = {
  hello: { method: 'GET', path: '/v1/hello' },
  status: { method: 'GET', path: '/v1/daemon' },
  stop: { method: 'POST', path: '/v1/daemon/stop' },
  rebuild: { method: 'POST', path: '/v1/daemon/rebuild' },
  doctor: { method: 'POST', path: '/v1/doctor' },
  setup: { method: 'POST', path: '/v1/deployments' },
  cleanup: { method: 'POST', path: '/v1/deployments/cleanup' },
  update: { method: 'POST', path: '/v1/deployments/update' },
  up: { method: 'POST', path: '/v1/agents' },
  ps: { method: 'GET', path: '/v1/agents' },
  watch: { method: 'GET', path: '/v1/agents/watch' },
  down: { method: 'POST', path: '/v1/agents/down' },
  restart: { method: 'POST', path: '/v1/agents/restart' },
  resume: { method: 'POST', path: '/v1/agents/resume' },
  pause: { method: 'POST', path: '/v1/agents/pause' },
  unpause: { method: 'POST', path: '/v1/agents/unpause' },
  answer: { method: 'POST', path: '/v1/agents/answer' },
  interrupt: { method: 'POST', path: '/v1/agents/interrupt' },
  attach: { method: 'GET', path: '/v1/agents/attach' },
  context: { method: 'GET', path: '/v1/agents/context' },
  logs: { method: 'GET', path: '/v1/agents/logs' },
  tell: { method: 'POST', path: '/v1/directives' },
  inbox: { method: 'GET', path: '/v1/directives' },
  receipt: { method: 'GET', path: '/v1/directives/:id' },
  follow: { method: 'GET', path: '/v1/directives/:id/follow' },
  read: { method: 'POST', path: '/v1/directives/:id/read' },
  ack: { method: 'POST', path: '/v1/directives/:id/ack' },
  cancel: { method: 'POST', path: '/v1/directives/:id/cancel' },
  tail: { method: 'GET', path: '/v1/topics/:topic' },
  channels: { method: 'GET', path: '/v1/channels' },
  createChannel: { method: 'POST', path: '/v1/channels' },
  defaultRoute: { method: 'POST', path: '/v1/default-route' },
  dead: { method: 'GET', path: '/v1/outgoing/dead' },
  retry: { method: 'POST', path: '/v1/outgoing/:id/retry' },
  receive: { method: 'POST', path: '/v1/channels/:name' },
  removeChannel: { method: 'POST', path: '/v1/channels/:name/remove' },
  routeChannel: { method: 'POST', path: '/v1/channels/:name/route' },
  channelToken: { method: 'POST', path: '/v1/channels/:name/token' },
  sendOut: { method: 'POST', path: '/v1/channels/:name/out' },
  take: { method: 'POST', path: '/v1/channels/:name/take' },
  settle: { method: 'POST', path: '/v1/channels/:name/settle' },
  tailChannel: { method: 'GET', path: '/v1/channels/:name/tail' },
  adapters: { method: 'GET', path: '/v1/adapters' },
  runAdapter: { method: 'POST', path: '/v1/adapters' },
  stopAdapter: { method: 'POST', path: '/v1/adapters/:name/stop' },
  turns: { method: 'GET', path: '/v1/turns' },
  followTurns: { method: 'GET', path: '/v1/turns/lines' },
  hook: { method: 'POST', path: '/v1/hooks/:driver/:event' },
  mcp: { method: 'POST', path: '/mcp' },
} as const

export type RouteName = keyof typeof routes

/** The daemon and every client send this; a client from a newer Rein replaces an older daemon. */
export const versionHeader = 'x-rein-version'
/** Says that the caller acts as an agent: it carries that agent's token. */
export const agentTokenHeader = 'x-rein-agent-token'
/** The processes a caller without a token descends from: an agent that was started by hand may be among them. */
export const ancestryHeader = 'x-rein-pids'
