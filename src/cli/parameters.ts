import type { CliContext } from './context.ts'
import { parseMoment } from './format.ts'
import type { PauseKind } from '../contract/agent.ts'
import type { Priority } from '../contract/directive.ts'
import {
  channelPattern,
  eventTypePattern,
  handlePattern,
  longestTarget,
  subjectPattern,
  taskPattern,
  turnPattern,
} from '../contract/handle.ts'
import type { leadMessages } from '../contract/task.ts'
import type { EventPriority } from '../contract/team.ts'

export const priorities = ['low', 'normal', 'high', 'urgent'] as const satisfies readonly Priority[]
export const eventPriorities = ['critical', 'high', 'normal', 'low'] as const satisfies readonly EventPriority[]
export const pauseKinds = ['edit', 'bash'] as const satisfies readonly PauseKind[]
export const waitStates = ['placed', 'seen', 'acked'] as const
export const shells = ['bash', 'zsh', 'fish'] as const

type Candidates = typeof import('./candidates.ts')

/** Completes from what the daemon knows, or from files; loaded only when a shell asks. */
export const propose = (kind: keyof Candidates) =>
  async function (this: CliContext): Promise<string[]> {
    return (await import('./candidates.ts'))[kind](this)
  }

const text = (input: string): string => input

const parseMatching =
  (pattern: RegExp, complaint: string) =>
  (input: string): string => {
    if (pattern.test(input)) return input
    throw new Error(complaint)
  }

/** Checked here because the name becomes part of a URL, which a path must not. */
export const channelName = parseMatching(channelPattern, 'a name has up to 32 of a-z, 0-9, - and _')
export const handleName = parseMatching(
  handlePattern,
  'a handle has up to 64 of a-z, 0-9, - and _, and begins with a letter or digit',
)
const taskName = parseMatching(
  taskPattern,
  'a task has up to 64 of A-Z, a-z, 0-9, - and _, and begins with a letter or digit',
)
const turn = parseMatching(turnPattern, 'a turn is a number, like 3, or 3b for the second of that number')
export const subject = parseMatching(subjectPattern, 'a subject is room:NAME, bus:TYPE or hub:NAME; * in it means any')

/** `2..5`, `..5`, `2..` or `5`, which is `..5`. */
export const turnRange = (input: string): { first?: string; last?: string } => {
  const [first, last] = input.includes('..') ? input.split('..', 2) : ['', input]
  return { ...(first ? { first: turn(first) } : {}), ...(last ? { last: turn(last) } : {}) }
}

const parseOneOf =
  <Kind extends string>(kinds: readonly Kind[]) =>
  (input: string): Kind => {
    const kind = kinds.find((one) => one === input)
    if (kind !== undefined) return kind
    throw new Error(`it is none of ${kinds.join(', ')}`)
  }

const leadKinds = ['blocker', 'progress', 'review-request'] as const satisfies typeof leadMessages
const adapterKinds = ['timer', 'webhook', 'watch', 'telegram', 'command']

const chatCommands = 'create send read search export members list archive pause resume'.split(' ')

export const positional = <const Name extends string>(placeholder: Name, brief: string) => ({
  placeholder,
  brief,
  parse: text,
})

export const trustBrief =
  'Trust the hooks, servers and plugins that its directory makes its CLI run, as rein trust does'

export const argument = {
  directory: { ...positional('directory', 'The directory [default: this one]'), optional: true },
  handle: {
    ...positional('handle', 'The agent: its handle, or project/handle'),
    proposeCompletions: propose('handles'),
  },
  handleOrSelf: {
    ...positional('handle', 'The agent: its handle, or project/handle'),
    optional: true,
    proposeCompletions: propose('handles'),
  },
  handleOrAll: {
    ...positional('handle', 'Only this agent: its handle, or project/handle'),
    optional: true,
    proposeCompletions: propose('handles'),
  },
  routeTarget: {
    ...positional('to', 'The agent: its handle, or project/handle; or a room: room:NAME, or room:project/NAME'),
    optional: true,
    proposeCompletions: propose('handles'),
  },
  newHandleOrAll: {
    ...positional(
      'handle',
      'A name for the agent: a-z, 0-9, - and _; PROJECT/HANDLE names an existing agent from anywhere',
    ),
    optional: true,
  },
  newHandleOrNone: {
    ...positional('handle', 'A name for the agent [default: the name of this directory]'),
    optional: true,
  },
  device: { ...positional('device', 'The device: its name, or dev_…'), proposeCompletions: propose('devices') },
  directive: { ...positional('id', 'The directive: dir_…'), proposeCompletions: propose('directives') },
  text: positional('text', 'What to say; - reads it from standard input'),
  answer: {
    ...positional('answer', 'allow, deny, or a text'),
    optional: true,
    proposeCompletions: () => ['allow', 'deny'],
  },
  channel: {
    ...positional('channel', 'The channel: a-z, 0-9, - and _'),
    parse: channelName,
    proposeCompletions: propose('channels'),
  },
  adapterKind: {
    ...positional('kind', 'timer, webhook, watch, telegram or command'),
    // An adapter that can never run would stay in the list.
    parse: parseOneOf(adapterKinds),
    proposeCompletions: () => adapterKinds,
  },
  pathName: {
    ...positional('name', 'Only this one: state, runtime, config, socket, port or log'),
    optional: true,
    proposeCompletions: () => ['state', 'runtime', 'config', 'socket', 'port', 'log'],
  },
  docsTopic: {
    ...positional('topic', 'The page, like delivery'),
    optional: true,
    proposeCompletions: propose('docsTopics'),
  },
  adapter: { ...positional('name', 'The adapter: its name'), parse: channelName },
  setting: { ...positional('key', 'The setting, like agents.driver'), proposeCompletions: propose('settings') },
  value: positional('value', 'Its new value'),
  room: {
    ...positional('room', 'The room: a-z, 0-9, - and _'),
    parse: channelName,
    proposeCompletions: propose('rooms'),
  },
  session: {
    ...positional('id', 'The session: the handle of its agent, its id (ses_…), or that of a conversation'),
    proposeCompletions: propose('sessions'),
  },
  sessionOrBundle: {
    ...positional(
      'id or file',
      'The session: the handle of its agent, its id (ses_…), or that of a conversation; or a bundle, a file',
    ),
    proposeCompletions: propose('sessions'),
  },
  turn: { ...positional('turn', 'The turn: its number, or 3b; 0 is before the first prompt'), parse: turn },
  turnOrWhole: { ...positional('turn', 'Only this turn, in full: its number, or 3b'), parse: turn, optional: true },
  turnOrCurrent: {
    ...positional('turn', 'After this turn: its number, or 3b [default: where the agent is]'),
    parse: turn,
    optional: true,
  },
  otherTurn: {
    ...positional('turn2', 'Up to this turn, or now [default: only what the turn itself did]'),
    parse: (input: string): string => (input === 'now' ? input : turn(input)),
    optional: true,
    proposeCompletions: () => ['now'],
  },
  bundle: positional('file', 'The bundle, a file'),
  task: { ...positional('task', 'The task'), parse: taskName, proposeCompletions: propose('tasks') },
  storied: {
    ...positional('task', 'The task; or an agent, by its handle; or a session, by its id (ses_…) or a conversation'),
    parse: (input: string): string => {
      if (input.trim() !== '' && input.length <= longestTarget) return input
      throw new Error(`a story is of a task, an agent or a session, named with up to ${longestTarget} characters`)
    },
    proposeCompletions: propose('tasks'),
  },
  newTask: {
    ...positional('task', 'The task: A-Z, a-z, 0-9, - and _'),
    parse: taskName,
    proposeCompletions: propose('tasks'),
  },
  leadMessage: {
    ...positional('kind', leadKinds.join(', ')),
    parse: parseOneOf(leadKinds),
    proposeCompletions: () => leadKinds,
  },
  leaseGlob: positional(
    'glob',
    'The files from the top of the work tree, like src/parser/**; a directory means all in it',
  ),
  leaseGlobOrAll: { ...positional('glob', 'Only leases that may cover these files'), optional: true },
  lease: { ...positional('lease', 'Its glob, or its id: lease_…'), proposeCompletions: propose('leases') },
  searched: {
    ...positional('text', 'What to look for, in any case'),
    parse: parseMatching(/\S/, 'there is nothing to look for'),
  },
  eventType: {
    ...positional('type', 'The kind of event, like task-complete'),
    parse: parseMatching(eventTypePattern, 'a type has up to 64 of a-z, 0-9 and -, and begins with a letter'),
  },
  payload: { ...positional('payload', 'What it carries; - reads it from standard input'), optional: true },
  event: { ...positional('id', 'The event: evt_…'), proposeCompletions: propose('events') },
  eventOrAll: { ...positional('id', 'Only this event: evt_…'), optional: true, proposeCompletions: propose('events') },
  watched: {
    ...positional('handle or subject', 'The agent, then room:NAME, bus:TYPE or hub:NAME; * means any'),
    // A handle has no colon.
    parse: (input: string): string => (input.includes(':') ? subject(input) : input),
    proposeCompletions: propose('handles'),
  },
  controlLine: {
    ...positional('line', 'register SUBJECT, unregister SUBJECT or set-interval SECONDS'),
    optional: true,
  },
  // Stricli does not propose the other commands of a route that has a default command.
  chatRoom: {
    ...positional('room', 'The room to begin with'),
    parse: channelName,
    optional: true,
    proposeCompletions: async function (this: CliContext) {
      return [
        ...chatCommands,
        ...(await propose('rooms')
          .call(this)
          .catch(() => [])),
      ]
    },
  },
  inboxHandle: {
    ...positional('handle', 'Only this agent: its handle, or project/handle'),
    optional: true,
    proposeCompletions: async function (this: CliContext) {
      return ['read', ...(await propose('handles').call(this))]
    },
  },
} as const

export const tuple = <const Parameters extends readonly unknown[]>(...parameters: Parameters) =>
  ({ kind: 'tuple', parameters }) as const

/** Any number of values. */
export const words = <Parameter>(parameter: Parameter) => ({ kind: 'array', parameter }) as const

export const flag = {
  text: <const Name extends string>(placeholder: Name, brief: string) =>
    ({ kind: 'parsed', placeholder, brief, parse: text, optional: true }) as const,
  parsed: <Value>(placeholder: string, brief: string, parse: (input: string) => Value) =>
    ({ kind: 'parsed', placeholder, brief, parse, optional: true }) as const,
  repeated: (placeholder: string, brief: string, parse: (input: string) => string = text) =>
    ({ kind: 'parsed', placeholder, brief, parse, optional: true, variadic: true }) as const,
  /** A time, as milliseconds since 1970. */
  moment: (brief: string) =>
    ({
      kind: 'parsed',
      placeholder: 'TIME',
      brief,
      optional: true,
      parse(this: CliContext, input: string): number {
        return parseMoment(input, this.now())
      },
    }) as const,
  /** Given without a value, it is an empty string. */
  textOrEmpty: <const Name extends string>(placeholder: Name, brief: string) =>
    ({ kind: 'parsed', placeholder, brief, parse: text, optional: true, inferEmpty: true }) as const,
  oneOf: <const Value extends string>(values: readonly Value[], brief: string) =>
    ({ kind: 'enum', values, brief, optional: true }) as const,
  yes: (brief: string) => ({ kind: 'boolean', brief, optional: true, withNegated: false }) as const,
}
