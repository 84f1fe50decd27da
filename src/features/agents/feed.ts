import type { z } from 'zod'
import { ReinError } from '../../contract/errors.ts'
import type { AnyRecord } from '../../contract/record.ts'
import { type FeedInput, type FeedLine, type FeedPage, type PageInput, topicNames } from '../../contract/routes/feed.ts'
import { resolveAgent } from '../../agents/identity/resolve-agent.ts'
import type { Log } from '../../base/log/log.ts'
import type { AgentParts } from './parts.ts'

type Given = Pick<z.infer<typeof FeedInput>, 'agent' | 'room' | 'topics'>
type Records = Pick<Log, 'bounds' | 'changes' | 'countRange' | 'last' | 'readRange'>

/** Which records a reader wants. */
interface Wanted {
  topics: readonly string[]
  agent: string | null
  room: string | null
}

const aboutAgents = ['agents', 'directives', 'sessions', 'turns']
const aboutRooms = ['chats']
/** Records that are in memory at a time: one may hold all that a tool printed. */
const pageSize = 100
/** A reader that is further behind begins with the newest, as one whose records are gone: nobody reads all these. */
export const mostBehind = 10_000

export const feed = (
  parts: AgentParts,
  { after, lines, ...given }: z.infer<typeof FeedInput>,
  signal: AbortSignal,
): AsyncGenerator<FeedLine> => follow(parts.log, wantedOf(parts, given), { after, lines }, signal)

export const page = async (
  parts: AgentParts,
  { before, lines, ...given }: z.infer<typeof PageInput>,
  signal: AbortSignal,
): Promise<FeedPage> => {
  const found = await newest(parts.log, { ...wantedOf(parts, given), after: 0, before }, lines + 1, signal)
  return { records: lines === 0 ? [] : found.slice(-lines), isFirst: found.length <= lines }
}

const wantedOf = ({ supervisor }: Pick<AgentParts, 'supervisor'>, { agent, room, topics }: Given): Wanted => {
  if (agent !== undefined && room !== undefined)
    throw new ReinError('usage', 'A feed is of an agent or of a room, not of both.')
  // All others would be read to their end, and nothing found.
  if (room !== undefined && topics?.some((topic) => !aboutRooms.includes(topic)))
    throw new ReinError('usage', `A feed of a room has only the topic ${aboutRooms.join(', ')}.`)
  const unknown = topics?.find((topic) => !topicNames.has(topic))
  if (unknown !== undefined)
    throw new ReinError(
      'usage',
      `There is no topic ${JSON.stringify(unknown)}.`,
      `There are: ${[...topicNames].join(', ')}.`,
    )
  const id = agent === undefined ? null : (supervisor.get(agent) ?? resolveAgent(supervisor.agents, agent, null)).id
  return { topics: topics ?? (room === undefined ? aboutAgents : aboutRooms), agent: id, room: room ?? null }
}

/**
 * Records after a position, in the order of the log, each once. A reader without a position, or whose records are not all
 * kept any more, or are too many, begins with the newest: it is told so, and can page back from there.
 */
export async function* follow(
  log: Records,
  wanted: Wanted,
  { after, lines }: { after?: number | undefined; lines: number },
  signal: AbortSignal,
): AsyncGenerator<FeedLine> {
  let position = after
  let isTold = false
  for await (const _ of log.changes(wanted.topics, signal)) {
    let isFirstPage = true
    for (let isMore = true; isMore && !signal.aborted; ) {
      // With this end, a read of several topics one after the other is of one moment.
      const end = log.last
      const from = position
      const news = from === undefined || from > end ? null : { ...wanted, after: from, before: end + 1 }
      const isTooMuch = news !== null && isFirstPage && (await isFarBehind(log, news, signal))
      isFirstPage = false
      const read = news === null || isTooMuch ? null : log.readRange(news, pageSize, 'first')
      // What is pruned meanwhile is missed in the read, so the floor is looked at after it.
      if (from === undefined || read === null || !isWhole(log, wanted, from)) {
        // What a reader knows already does not come again, unless it is of another log.
        const least = from === undefined || from > end ? 0 : from
        const records = await newest(log, { ...wanted, after: least, before: end + 1 }, lines, signal)
        if (signal.aborted) return
        yield { at: from === undefined ? 'begin' : 'gap', position: (records[0]?.seq ?? end + 1) - 1 }
        for (const record of records) yield { record }
        position = end
      } else {
        if (!isTold) yield { at: 'resumed', position: from }
        for (const record of read) if (isOf(wanted, record)) yield { record }
        isMore = read.length === pageSize
        position = isMore ? (read.at(-1)?.seq ?? end) : end
        if (isMore) await letOthersIn()
      }
      isTold = true
    }
  }
}

/** Whether more is in a range than anybody reads. Of a room there may be little among much. */
const isFarBehind = async (log: Records, range: Range, signal: AbortSignal): Promise<boolean> => {
  if (log.countRange(range, mostBehind + 1) <= mostBehind) return false
  if (range.room === null) return true
  let found = 0
  for (let end = range.before; !signal.aborted; await letOthersIn()) {
    const read = log.readRange({ ...range, before: end }, pageSize, 'last')
    found += read.filter((record) => isOf(range, record)).length
    if (found > mostBehind) return true
    if (read.length < pageSize) break
    end = read[0]?.seq ?? 0
  }
  return false
}

/** Whether nothing was pruned after a position. */
const isWhole = (log: Records, { topics }: Wanted, position: number): boolean =>
  topics.every((topic) => log.bounds(topic).floor <= position)

interface Range extends Wanted {
  after: number
  before: number
}

/** Of a room there may be few records among all that are read: the daemon does other things between them. */
const letOthersIn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The last records of a range, oldest first. */
const newest = async (log: Records, range: Range, count: number, signal: AbortSignal): Promise<AnyRecord[]> => {
  const found: AnyRecord[] = []
  for (let end = range.before; found.length < count && !signal.aborted; ) {
    const read = log.readRange({ ...range, before: end }, pageSize, 'last')
    found.unshift(...read.filter((record) => isOf(range, record)))
    if (read.length < pageSize) break
    end = read[0]?.seq ?? 0
    await letOthersIn()
  }
  return count === 0 ? [] : found.slice(-count)
}

const isOf = ({ room }: Wanted, { body }: AnyRecord): boolean => {
  if (room === null) return true
  return 'post' in body && typeof body.post === 'object'
    ? body.post.room === room
    : 'room' in body && body.room === room
}
