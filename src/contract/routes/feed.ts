import { z } from 'zod'
import { manifest } from '../manifest.ts'
import { LogLine } from '../record.ts'
import { route, type Routes } from './route.ts'

export const topicNames: ReadonlySet<string> = new Set(Object.values(manifest).map(({ topic }) => topic))
const topics = z.array(z.string()).max(topicNames.size, `there are only ${topicNames.size} topics`)

/** What the log has of an agent or a room, or of all. In a query string a list is one text. */
const scope = {
  agent: z.string().min(1).optional().describe('an agent, by its id, or as PROJECT/HANDLE'),
  room: z.string().min(3).optional().describe('a room, as PROJECT/NAME: what is posted and read there'),
  topics: z
    .union([
      topics,
      z
        .string()
        .transform((text) => text.split(','))
        .pipe(topics),
    ])
    // Each of them is read to its end.
    .transform((given) => [...new Set(given)])
    .optional()
    .describe('left out: agents, directives, sessions and turns, or chats for a room'),
}
const lines = z.coerce.number<number>().int().min(0).max(1000).default(200)

export const FeedInput = z.object({
  ...scope,
  after: z.coerce.number<number>().int().min(0).optional().describe('a position: the seq of the last record known'),
  lines: lines.describe('how many of the newest records a reader gets who has no position, or a lost one'),
})
export const FeedAt = z.enum(['resumed', 'gap', 'begin'])
/** The first line is a position; another one follows where records are pruned before they are read. */
export const FeedLine = z.union([
  z.object({
    at: FeedAt.describe(
      'resumed: all that was written after the position follows; gap: some of that may not be kept any more, or it is more than 10 000 records, and the newest of the rest follow; begin: the newest records follow',
    ),
    position: z.number(),
  }),
  z.object({ record: LogLine }),
])
export const PageInput = z.object({
  ...scope,
  before: z.coerce.number<number>().int().min(1).describe('a position: the seq of the oldest record known'),
  lines,
})
export const PageOutput = z.object({
  records: z.array(LogLine).describe('oldest first'),
  isFirst: z.boolean().describe('no older ones are kept'),
})

export type FeedLine = z.infer<typeof FeedLine>
export type FeedPage = z.infer<typeof PageOutput>

/** The log as a page reads it: from a position, in the order of all topics, in both directions. */
export const feedRoutes = {
  feed: route({
    method: 'GET',
    path: '/v1/feed',
    input: FeedInput,
    output: FeedLine,
    stream: true,
    scope: 'read',
    help: 'Reads records of an agent or a room from a position of the log, and follows them.',
  }),
  page: route({
    method: 'GET',
    path: '/v1/feed/before',
    input: PageInput,
    output: PageOutput,
    scope: 'read',
    help: 'Reads the records before a position of the log.',
  }),
} satisfies Routes
