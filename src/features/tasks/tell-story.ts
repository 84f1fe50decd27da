import type { z } from 'zod'
import { resolveAgent } from '../../agents/identity/resolve-agent.ts'
import type { Agent } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type { AnyRecord } from '../../contract/record.ts'
import type { Story, StoryInput } from '../../contract/routes/story.ts'
import type { Task } from '../../contract/task.ts'
import { roomKey } from '../../contract/team.ts'
import type { Log } from '../../base/log/log.ts'
import { unread } from '../../base/shell/read.ts'
import type { ShellReading } from '../../base/shell/reading.ts'
import { hintNearest } from '../../base/util/nearest.ts'
import { roomOf } from './names.ts'
import { StoryTeller, storyTopics } from './story.ts'
import type { StorySubject } from './story-scope.ts'
import type { TaskParts } from './parts.ts'

/** Records of each topic that are in memory at a time: one may hold all that a tool printed. */
const pageSize = 50

/** Tells the story of a task, of an agent or of a session. */
export const story = async (
  parts: TaskParts,
  actor: Actor,
  { cwd, target, since }: z.infer<typeof StoryInput>,
): Promise<Story> => {
  const project = await parts.finder.project(actor, cwd)
  const { about, from } = await subjectOf(parts, { cwd, target }, project)
  if (actor.kind === 'agent' && about.subject.project !== project)
    throw new ReinError('forbidden', 'An agent is told stories of its own project only.')
  const { log, now, supervisor } = parts
  const read = new Map<string, ShellReading>()
  const teller = new StoryTeller(about, {
    agent: (id) => supervisor.get(id),
    readLine: (command) => read.get(command) ?? unread('too costly', command),
    ...(since === undefined ? {} : { since }),
  })
  for await (const record of inOrder(log, storyTopics, from)) {
    for (const { command, cwd: at } of teller.linesIn(record))
      read.set(command, await parts.lines.read(command, { cwd: at, home: null }))
    teller.hear(record)
    read.clear()
  }
  // Part of it may be gone: each topic is kept for as long as its own settings say.
  const isCut = storyTopics.some((topic) => log.bounds(topic).floor >= Math.max(1, from))
  return teller.end(now(), isCut)
}

interface Found {
  about: StorySubject
  /** Where its first record stands; 0: at the beginning of the log. */
  from: number
}

const subjectOf = async (parts: TaskParts, input: { cwd: string; target: string }, project: string): Promise<Found> => {
  const task = parts.tasks.find(project, input.target)
  if (task !== null) return ofTask(parts.log, task)
  if (parts.sessions.isSessionName(input.target)) return ofSession(parts, input)
  try {
    return await ofAgent(parts.log, resolveAgent(parts.supervisor.agents, input.target, project))
  } catch (cause) {
    if (!(cause instanceof ReinError) || cause.code !== 'unknown_agent') throw cause
    const message = `There is no task, agent or session ${JSON.stringify(input.target)} here.`
    const names = [
      ...parts.tasks.all(project).map(({ name }) => name),
      ...parts.supervisor.agents.map(({ handle }) => handle),
    ]
    const hint = hintNearest(input.target, names, 'List them: rein task list, rein ps --all, rein session list')
    throw new ReinError('not_found', message, hint)
  }
}

const ofTask = async (log: Log, { id, name, project }: Task): Promise<Found> => {
  const subject = { kind: 'task' as const, name, project }
  const room = roomKey(project, roomOf(name))
  const about = { subject, task: id, agents: [], room, conversations: null, until: null }
  return { about, from: await createdAt(log, 'tasks', (one) => one.type === 'task.created' && one.body.task.id === id) }
}

const ofAgent = async (log: Log, { id, handle, project }: Agent): Promise<Found> => {
  const subject = { kind: 'agent' as const, name: handle, project }
  const about = { subject, task: null, agents: [id], room: null, conversations: null, until: null }
  return {
    about,
    from: await createdAt(log, 'agents', (one) => one.type === 'agent.created' && one.body.agent.id === id),
  }
}

/** 0: that record is gone. */
const createdAt = async (log: Log, topic: string, isIt: (record: AnyRecord) => boolean): Promise<number> => {
  for await (const record of inOrder(log, [topic], 0)) if (isIt(record)) return record.seq
  return 0
}

const ofSession = async (parts: TaskParts, input: { cwd: string; target: string }): Promise<Found> => {
  const { agent, session } = await parts.sessions.findTarget(input)
  const { id, project, lastAt } = session.row
  const subject = { kind: 'session' as const, name: id, project }
  const conversations = new Set(session.conversations.keys())
  const { turns } = session.tree
  const agents = [...new Set([agent.id, ...turns.map((turn) => turn.agent)])]
  const isThere = agent.conversation !== null && conversations.has(agent.conversation)
  const endAt = turns.reduce((last, { startedAt, endedAt }) => Math.max(last, endedAt ?? startedAt), lastAt)
  const until = isThere ? null : endAt
  return { about: { subject, task: null, agents, room: null, conversations, until }, from: turns[0]?.seq ?? 0 }
}

function* pages(log: Log, topic: string, from: number): Generator<AnyRecord> {
  const { floor, last } = log.bounds(topic)
  let after = Math.max(floor, from - 1)
  while (after < last) {
    const page = log.readAfter(topic, after, pageSize)
    yield* page
    const end = page.at(-1)?.seq
    if (end === undefined) return
    after = end
  }
}

/** Topics as the one log that they are; others get a turn between pages. */
async function* inOrder(log: Log, topics: readonly string[], from: number): AsyncGenerator<AnyRecord> {
  const readers = topics.map((topic) => pages(log, topic, from))
  const heads = readers.flatMap((reader) => step(reader))
  for (let count = 1; heads.length > 0; count += 1) {
    const first = heads.reduce((one, other) => (other.record.seq < one.record.seq ? other : one))
    yield first.record
    heads.splice(heads.indexOf(first), 1, ...step(first.reader))
    if (count % pageSize === 0) await new Promise(setImmediate)
  }
}

const step = (reader: Generator<AnyRecord>): { reader: Generator<AnyRecord>; record: AnyRecord }[] => {
  const { done, value } = reader.next()
  return done === true ? [] : [{ reader, record: value }]
}
