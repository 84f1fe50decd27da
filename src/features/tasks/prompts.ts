import type { Task } from '../../contract/task.ts'
import { escapeUnsafe } from '../../base/util/visible.ts'
import { roomOf } from './names.ts'
import type { Place } from './roster.ts'
import { handoverAt, readTaskText, textPath } from './texts.ts'

type Shown = Pick<Task, 'name' | 'root'>
type Mate = Pick<Place, 'handle' | 'role' | 'driver'>

/** The first prompt of an agent: its task, its team, and how to reach them. */
export const taskPrompt = (task: Shown, own: Mate, team: readonly Mate[]): string => {
  const others = team.filter(({ handle }) => handle !== own.handle)
  const lead = team.find(({ role }) => role === 'lead')
  const part = others.length === 0 ? alone : own.role === 'lead' ? leading : following(lead?.handle)
  return [
    `You are ${own.handle}, ${own.role === 'lead' ? 'the lead' : 'an agent'} of the task ${task.name}.`,
    others.length === 0
      ? 'Nobody else works on it.'
      : `Your team: ${others.map(({ handle, role, driver }) => `${handle} (${role === 'lead' ? 'lead, ' : ''}${driver})`).join(', ')}.`,
    ...(others.length === 0 ? [] : [`You talk in the room ${roomOf(task.name)}; the skill rein-team says how.`]),
    ...part,
    'Before you change files that others may change, take a lease on them: rein lease take GLOB (tool take_lease). An edit under the lease of somebody else is denied, with who holds it.',
    ...(own.role === 'lead' || others.length === 0 ? assignment(task) : [specLine(task)]),
  ].join('\n')
}

/** The part of a handover prompt that comes from the task. */
export const reminder = (task: Shown, own: Pick<Mate, 'handle' | 'role'>): string =>
  `You are ${own.handle}, ${own.role === 'lead' ? 'the lead' : 'an agent'} of the task ${task.name}. ${specLine(task)}`

const leading = [
  'You split the task into parts, give each agent one, answer what blocks them, look at what they made, and put it together. The skill rein-lead says how: use it now.',
  'They tell you of blockers, progress and what is to be reviewed by events on the bus (rein bus read, tool bus_read); acknowledge each when it is dealt with. You are woken for them: stop when there is nothing to do.',
]

const following = (lead = 'your lead'): string[] => [
  `${lead} gives you your part: wait for it. Say in the room that you are there, in one line, then stop; you are woken when there is something for you.`,
  `Tell ${lead} when you are blocked, how far you are and what is to be reviewed: rein task report blocker|progress|review-request TEXT (tool tell_lead). Then stop, or go on with what is not blocked.`,
]

const alone = ['Work on it until it is done, and say so at the end.']

const specLine = (task: Shown): string => `The spec is ${textPath(task, 'SPEC.md')}: read it before you begin.`

const assignment = (task: Shown): string[] => {
  const [spec, prompt] = [shownText(task, 'SPEC.md'), shownText(task, 'PROMPT.md')]
  const earlier = handoverAt(task) === null ? [] : [`What was done before you: ${textPath(task, 'HANDOVER.md')}.`]
  return [
    ...earlier,
    ...(prompt === null ? [] : ['', prompt]),
    '',
    spec === null
      ? `The spec, ${textPath(task, 'SPEC.md')}, is not there: ask for it.`
      : `This is the spec (${textPath(task, 'SPEC.md')}):\n\n${spec}`,
  ]
}

/** A file of the project: any contributor may have written it. */
const shownText = (task: Shown, name: Parameters<typeof readTaskText>[1]): string | null => {
  const text = readTaskText(task, name)
  return text === null ? null : escapeUnsafe(text)
}
