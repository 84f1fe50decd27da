import type { IncomingMessage } from 'node:http'
import type {
  AdapterView,
  ChannelsView,
  ChannelView,
  CreateChannelRequest,
  OutgoingView,
  ReceivedView,
  RouteRequest,
  RunAdapterRequest,
  SentView,
  SettleRequest,
  TakeRequest,
  TokenRequest,
  TokenView,
} from '../contract/routes/channels.ts'
import type { AgentView, Attach, ContextView, Resumed, UpRequest } from '../contract/routes/agents.ts'
import type { DeployView, SetupRequest } from '../contract/routes/deployments.ts'
import type { DoctorRequest, DoctorView, Hello, Rebuilt, Status, Stopped } from '../contract/routes/daemon.ts'
import type { InboxItemView, ReadView, TellRequest, Told } from '../contract/routes/directives.ts'
import type { LoopsRequest, LoopView } from '../contract/routes/loops.ts'
import type { Outgoing } from '../contract/channel.ts'
import type { Receipt } from '../contract/directive.ts'
import { ReinError } from '../contract/errors.ts'
import type { AnyRecord } from '../contract/record.ts'
import type { TurnGap, TurnLine } from '../contract/turn.ts'
import { type RouteName, routes, versionHeader } from '../contract/routes.ts'
import {
  type Connection,
  ensureDaemon,
  headersOf,
  freshHint,
  logHint,
  mustReplace,
  socketOf,
  stopDaemon,
  unreachable,
} from './connect.ts'
import { type BundleClient, createBundleClient } from './bundle.ts'
import { codeOf, isDaemonGone, nobodyListens, readJson, readLines, send } from './http.ts'
import { mcpHeaders, readMessages } from './mcp.ts'
import { createMemoryClient, type MemoryClient } from './memory.ts'
import { createNotesClient, type NotesClient } from './notes.ts'
import { createReplayClient, type ReplayClient } from './replay.ts'
import { createRulesClient, type RulesClient } from './rules.ts'
import { createRunClient, type RunClient } from './run.ts'
import { createSessionClient, type SessionClient } from './session.ts'
import { createStoryClient, type StoryClient } from './story.ts'
import { createLeaseClient, type LeaseClient } from './leases.ts'
import { createTaskClient, type TaskClient } from './tasks.ts'
import { createTeamClient, type TeamClient } from './team.ts'

interface Target {
  target: string
  cwd: string
}

/** What comes in on a channel; the same `key` again is the same message. */
export interface IncomingText {
  text: string
  sender?: string
  claimedAt?: number
  meta?: Record<string, unknown>
  key?: string
}

/** Inside an agent, no target means that agent. */
type TargetOrSelf = Partial<Target> & { cwd: string }

export interface Client
  extends TeamClient,
    TaskClient,
    StoryClient,
    LeaseClient,
    SessionClient,
    BundleClient,
    ReplayClient,
    MemoryClient,
    NotesClient,
    RulesClient,
    RunClient {
  /** Starts a daemon if there is none. */
  hello(): Promise<Hello>
  status(): Promise<Status>
  /** Resolves when the daemon's process has ended. */
  stop(): Promise<Stopped>
  rebuild(): Promise<Rebuilt>
  doctor(input: DoctorRequest): Promise<DoctorView>
  setup(input: SetupRequest): Promise<DeployView>
  cleanup(input: SetupRequest): Promise<DeployView>
  update(input: Pick<SetupRequest, 'env'>): Promise<DeployView>
  up(input: UpRequest): Promise<AgentView>
  ps(input: { all?: boolean }): Promise<AgentView[]>
  /** All agents now, and again whenever something changed. */
  watch(input: { all?: boolean; detail?: boolean }, signal?: AbortSignal): AsyncGenerator<{ agents: AgentView[] }>
  down(input: Target): Promise<AgentView>
  /** The same agent again; `fresh` begins a conversation of its own. */
  restart(input: Target & { fresh?: boolean }): Promise<AgentView>
  /** Brings back the one that is named, or all that ran and do not any more. */
  resume(input: TargetOrSelf & { env: Record<string, string> }): Promise<Resumed[]>
  /** `now` interrupts its turn, which else may end. */
  pause(input: Target & { now?: boolean }): Promise<AgentView>
  unpause(input: Target): Promise<AgentView>
  /** Without an answer: only what it asks. */
  answer(input: Target & { answer?: string; question?: string }): Promise<AgentView>
  interrupt(input: Target): Promise<AgentView>
  attach(input: Target): Promise<Attach>
  context(input: TargetOrSelf): Promise<ContextView>
  logs(input: TargetOrSelf & { lines: number; follow?: boolean }, signal?: AbortSignal): AsyncGenerator<AnyRecord>
  tell(input: TellRequest): Promise<Told>
  inbox(input: { target?: string; cwd: string; all?: boolean }): Promise<InboxItemView[]>
  receipt(id: string): Promise<Receipt>
  /** The receipt now, and again at every step, until it has come that far. */
  follow(id: string, until: 'placed' | 'seen' | 'acked' | 'closed', signal?: AbortSignal): AsyncGenerator<Receipt>
  read(id: string, input: { part: number | null }): Promise<ReadView>
  ack(id: string, input: { note?: string }): Promise<Receipt>
  cancel(id: string): Promise<Receipt>
  /** From the oldest record that is still there, or after a position. */
  tail(topic: string, input: { after?: number; follow?: boolean }, signal?: AbortSignal): AsyncGenerator<AnyRecord>
  channels(): Promise<ChannelsView>
  /** Makes a channel, or changes what is given of it. */
  createChannel(input: CreateChannelRequest): Promise<ChannelView>
  removeChannel(name: string): Promise<ChannelsView>
  routeChannel(name: string, input: RouteRequest): Promise<ChannelView>
  setDefaultRoute(input: RouteRequest): Promise<ChannelsView>
  channelToken(name: string, input: TokenRequest): Promise<TokenView>
  /** A message comes in on a channel. */
  receive(name: string, message: IncomingText): Promise<ReceivedView>
  sendOut(name: string, input: { text: string; replyTo?: string }): Promise<SentView>
  /** What goes out on a channel, lent to this caller; waits for it. */
  take(name: string, input: TakeRequest, signal?: AbortSignal): Promise<Outgoing[]>
  settle(name: string, input: SettleRequest): Promise<OutgoingView>
  dead(input: { channel?: string }): Promise<OutgoingView[]>
  retry(id: string): Promise<OutgoingView>
  tailChannel(name: string, input: { after: number; follow?: boolean }, signal?: AbortSignal): AsyncGenerator<AnyRecord>
  adapters(): Promise<AdapterView[]>
  /** Resolves when it is at work, or has ended. */
  runAdapter(input: RunAdapterRequest): Promise<AdapterView>
  stopAdapter(name: string): Promise<AdapterView[]>
  /** Where agents went in circles, and what was done about it; newest first. */
  loops(input: LoopsRequest): Promise<LoopView[]>
  /** Turns as they end, of one agent or of all. */
  turns(
    input: { after?: number; target?: string; cwd?: string },
    signal?: AbortSignal,
  ): AsyncGenerator<TurnLine | TurnGap>
  /** Hands a message of an MCP client to the daemon; the answers are messages, too. */
  mcp(message: Record<string, unknown>, cwd: string): Promise<string[]>
}

interface Call {
  params?: Record<string, string>
  input?: object
  /** Beside the input, where that is the body. */
  query?: object
  headers?: Record<string, string>
  signal?: AbortSignal
  limitMs?: number
}

type Read = (response: IncomingMessage) => Promise<unknown>

const usualLimitMs = 30_000
/** Routes that wait for other programs, or read the whole log or all files of an agent. */
const longLimitsMs: Partial<Record<RouteName, number>> = {
  up: 120_000,
  setup: 120_000,
  cleanup: 120_000,
  update: 120_000,
  down: 60_000,
  decideRun: 60_000,
  restart: 120_000,
  // A dialog that loses keys is answered key by key.
  answer: 120_000,
  resume: 600_000,
  doctor: 120_000,
  rebuild: 600_000,
  archiveRoom: 120_000,
  startTask: 600_000,
  stopTask: 600_000,
  finishTask: 600_000,
  orchestrate: 600_000,
  teamUp: 600_000,
  teamDown: 600_000,
  session: 120_000,
  recording: 120_000,
  sessionTurn: 120_000,
  sessionDiff: 600_000,
  searchSessions: 120_000,
  ingest: 120_000,
  forget: 600_000,
  memoryStats: 120_000,
}

export const createClient = (connection: Connection): Client => {
  const ask = <T>(route: RouteName, call: Call = {}, read: Read = readJson): Promise<T> =>
    request<T>(connection, route, call, read)
  const listen = <T>(route: RouteName, call: Call): AsyncGenerator<T> => stream<T>(connection, route, call)
  return {
    hello: () => ensureDaemon(connection),
    status: () => ask('status'),
    stop: () => stopDaemon(connection),
    rebuild: () => ask('rebuild'),
    doctor: (input) => ask('doctor', { input }),
    setup: (input) => ask('setup', { input }),
    cleanup: (input) => ask('cleanup', { input }),
    update: (input) => ask('update', { input }),
    up: (input) => ask('up', { input }),
    ps: (input) => ask('ps', { input }),
    watch: (input, signal) => listen('watch', { input, signal }),
    down: (input) => ask('down', { input }),
    restart: (input) => ask('restart', { input }),
    resume: (input) => ask('resume', { input }),
    pause: (input) => ask('pause', { input }),
    unpause: (input) => ask('unpause', { input }),
    answer: (input) => ask('answer', { input }),
    interrupt: (input) => ask('interrupt', { input }),
    attach: (input) => ask('attach', { input }),
    context: (input) => ask('context', { input }),
    logs: (input, signal) => listen('logs', { input, signal }),
    tell: (input) => ask('tell', { input }),
    inbox: (input) => ask('inbox', { input }),
    receipt: (id) => ask('receipt', { params: { id } }),
    follow: (id, until, signal) => listen('follow', { params: { id }, input: { until }, signal }),
    read: (id, input) => ask('read', { params: { id }, input }),
    ack: (id, input) => ask('ack', { params: { id }, input }),
    cancel: (id) => ask('cancel', { params: { id } }),
    tail: (topic, input, signal) => listen('tail', { params: { topic }, input, signal }),
    channels: () => ask('channels'),
    createChannel: (input) => ask('createChannel', { input }),
    removeChannel: (name) => ask('removeChannel', { params: { name } }),
    routeChannel: (name, input) => ask('routeChannel', { params: { name }, input }),
    setDefaultRoute: (input) => ask('defaultRoute', { input }),
    channelToken: (name, input) => ask('channelToken', { params: { name }, input }),
    receive: (name, { text, claimedAt, ...more }) =>
      ask('receive', { params: { name }, input: { content: text, ts: claimedAt, ...more } }),
    sendOut: (name, input) => ask('sendOut', { params: { name }, input }),
    take: (name, input, signal) => ask('take', { params: { name }, input, signal }),
    settle: (name, input) => ask('settle', { params: { name }, input }),
    dead: (input) => ask('dead', { input }),
    retry: (id) => ask('retry', { params: { id } }),
    tailChannel: (name, input, signal) => listen('tailChannel', { params: { name }, input, signal }),
    adapters: () => ask('adapters'),
    runAdapter: (input) => ask('runAdapter', { input }),
    stopAdapter: (name) => ask('stopAdapter', { params: { name } }),
    loops: (input) => ask('loops', { input }),
    turns: (input, signal) => listen('followTurns', { input, signal }),
    mcp: (message, cwd) => ask('mcp', { input: message, query: { cwd }, headers: mcpHeaders(message) }, readMessages),
    ...createTeamClient(ask, listen),
    ...createTaskClient(ask),
    ...createStoryClient(ask),
    ...createLeaseClient(ask),
    ...createSessionClient(ask, listen),
    ...createBundleClient(listen),
    ...createReplayClient(ask),
    ...createMemoryClient(ask),
    ...createNotesClient(ask),
    ...createRulesClient(ask),
    ...createRunClient(ask, listen),
  }
}

const request = async <T>(connection: Connection, route: RouteName, call: Call, read: Read): Promise<T> => {
  const limitMs = connection.timeoutMs ?? longLimitsMs[route] ?? usualLimitMs
  try {
    return (await reach(connection, route, { ...call, limitMs }, { read, isGone: isDaemonGone })) as T
  } catch (cause) {
    if (codeOf(cause) === 'ETIMEDOUT') throw tooSlow(connection, limitMs)
    throw unreachable(cause, connection)
  }
}

const tooSlow = (connection: Connection, limitMs: number): ReinError =>
  new ReinError(
    'not_in_time',
    `The daemon did not answer within ${limitMs / 1000} s.`,
    `${logHint} ${freshHint(connection)}`,
  )

async function* stream<T>(connection: Connection, route: RouteName, call: Call): AsyncGenerator<T> {
  try {
    yield* readLines(await reach(connection, route, call, following)) as AsyncGenerator<T>
  } catch (cause) {
    if (!call.signal?.aborted) throw unreachable(cause, connection)
  }
}

interface Reading<T> {
  read: (response: IncomingMessage) => Promise<T>
  /** Whether a failure means that the next daemon is to be asked. */
  isGone: (cause: unknown) => boolean
}

/** A stream may say nothing for hours: one that breaks off was not met by a dying daemon, and must not bring it back. */
const following: Reading<IncomingMessage> = { read: (response) => Promise.resolve(response), isGone: nobodyListens }

/** What changes something must not happen twice: there the daemon is asked who it is before. What only reads asks again. */
const reach = async <T>(
  connection: Connection,
  route: RouteName,
  call: Call,
  { read, isGone }: Reading<T>,
): Promise<T> => {
  const attempt = (): Promise<IncomingMessage> => send(socketOf(connection), toRequest(connection, route, call))
  if (routes[route].method === 'GET') {
    const found = await attempt()
      .then((response) => readCurrent(connection, response, read))
      .catch((cause: unknown) => {
        if (isGone(cause)) return null
        throw cause
      })
    if (found !== null) return found.answer
  }
  await ensureDaemon(connection)
  return read(await attempt())
}

/** Null if the daemon is to be replaced. */
const readCurrent = async <T>(
  connection: Connection,
  response: IncomingMessage,
  read: Reading<T>['read'],
): Promise<{ answer: T } | null> => {
  if (isCurrent(connection, response)) return { answer: await read(response) }
  response.destroy()
  return null
}

const isCurrent = (connection: Connection, { headers }: IncomingMessage): boolean => {
  const daemonVersion = headers[versionHeader]
  return typeof daemonVersion === 'string' && !mustReplace(connection, daemonVersion)
}

const toRequest = (connection: Connection, route: RouteName, call: Call) => {
  const { params = {}, input = {}, query: beside = {}, headers: more, ...waiting } = call
  const { method, path } = routes[route]
  const headers = { ...headersOf(connection), ...more }
  const filled = path.replaceAll(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''))
  if (method === 'GET') return { method, path: `${filled}${query(input)}`, headers, ...waiting }
  const body = JSON.stringify(input)
  const target = `${filled}${query(beside)}`
  return { method, path: target, headers: { 'content-type': 'application/json', ...headers }, body, ...waiting }
}

/** Absent means no: a schema that coerces would take the word `false` for true. */
const query = (input: object): string => {
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null && value !== false)
  const parameters = Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
  return given.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`
}
