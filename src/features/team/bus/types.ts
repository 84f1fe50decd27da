import type { EventPriority } from '../../../contract/team.ts'

/** A kind of event, with its default priority. */
interface EventType {
  name: string
  v: number
  priority: EventPriority
  /** Only for watchers of this very name: it comes often, or is told in another way, too. */
  isAmbient: boolean
  about: string
}

const define = (name: string, priority: EventPriority, about: string): EventType => ({
  name,
  v: 1,
  priority,
  isAmbient: false,
  about,
})

const ambient = (name: string, priority: EventPriority, about: string): EventType => ({
  ...define(name, priority, about),
  isAmbient: true,
})

export const eventTypes: readonly EventType[] = [
  define('task-complete', 'normal', 'A task is done.'),
  define('task-blocked', 'high', 'A task cannot go on until somebody helps.'),
  define('task-failed', 'high', 'A task was given up.'),
  ambient('agent-up', 'low', 'An agent was started.'),
  ambient('agent-down', 'low', 'An agent was stopped, or has ended its work.'),
  define('agent-crashed', 'normal', 'The process of an agent ended without having been asked to.'),
  ambient('chat-message', 'low', 'Something was said in a room.'),
  ambient('chat-mention', 'normal', 'Somebody was named in a room.'),
  ambient('decision-logged', 'low', 'A decision was written down.'),
  define('checkpoint', 'normal', 'So much was decided that somebody should look at the whole.'),
  define('human-input', 'high', 'A person said something that the team has to know, or is asked to.'),
  define('blocker', 'high', 'An agent of a task cannot go on; for the lead of the task.'),
  define('progress', 'low', 'How far an agent of a task is; for the lead of the task.'),
  define('review-request', 'normal', 'Something of a task is to be looked at; for the lead of the task.'),
  define(
    'member-lost',
    'high',
    'An agent of a task is gone and does not come back by itself; for the lead of the task.',
  ),
  define('lead-lost', 'normal', 'The lead of a task is gone; for the other agents of the task.'),
  ambient('heartbeat', 'low', 'Its publisher is still there.'),
]

const known = new Map(eventTypes.map((type) => [type.name, type]))

/** Unknown types pass through. */
export const typeOf = (name: string): EventType =>
  known.get(name) ?? { name, v: 0, priority: 'normal', isAmbient: false, about: '' }
