import { join } from 'node:path'
import type { Box } from '../test/process/harness.ts'
import { withBox } from './box.ts'
import { type Conversation, Conversations, findClaude, type Variant } from './conversations.ts'
import type { EventCounts } from './empty-server.ts'
import { type Findings, interleave, median, ms, percentile, times, type Topic } from './measure.ts'
import { Role } from './role.ts'

const rounds = 5
const calls = 40
/** The first calls of a conversation load what the later ones find in memory. */
const warmUp = 3

const names: Record<Variant, string> = {
  none: 'no hooks',
  empty: "Rein's hooks, answered by an empty server",
  rein: "Rein's hooks, answered by Rein",
  classic: 'a bash + jq hook on the same two events',
}
const variants = Object.keys(names) as Variant[]

const run = (): Promise<Findings> =>
  withBox(async (box) => {
    const socket = join(box.root, 'empty.sock')
    const server = new Role<'count', EventCounts>('empty-server', socket)
    const conversations = new Conversations(box, await findClaude(), socket)
    await server.ask('count')
    const taken: Record<Variant, number[]> = { none: [], empty: [], rein: [], classic: [] }
    for (let round = 0; round < rounds; round += 1) {
      const some = await converse(conversations)
      for (const variant of variants) taken[variant].push(...some[variant].slice(warmUp))
    }
    const counts = await server.ask('count')
    server.end()
    return toFindings(taken, eventsPerCall(counts), foreignCalls(box))
  })

/** One conversation of each variant, side by side; their calls take turns. */
const converse = async (conversations: Conversations): Promise<Record<Variant, number[]>> => {
  const started: [Variant, Conversation][] = []
  for (const variant of variants) started.push([variant, await conversations.start(variant, calls)])
  const turns = Object.fromEntries(started.map(([variant, conversation]) => [variant, () => conversation.call()]))
  const taken = await interleave(turns as Record<Variant, () => Promise<number>>, calls)
  await Promise.all(started.map(([, conversation]) => conversation.stop()))
  return taken
}

/** Every event that has to do with tools; those of start, prompt and stop come once a turn. */
const eventsPerCall = (counts: EventCounts): number => {
  const ofTools = Object.entries(counts).filter(([event]) => /Tool|Permission/.test(event))
  return ofTools.reduce((sum, [, count]) => sum + count, 0) / (rounds * calls)
}

/** Rein would be quick if it took its own agents for strangers: then the figures mean nothing. */
const foreignCalls = (box: Box): number => box.log().filter(({ msg }) => msg === 'foreign').length

const toFindings = (taken: Record<Variant, number[]>, events: number, foreign: number): Findings => {
  if (foreign > 0) throw new Error(`${foreign} conversations were not served.`)
  const added = (variant: Variant): number => median(taken[variant]) - median(taken.none)
  const row = (variant: Variant): string[] => [
    names[variant],
    ms(median(taken[variant])),
    ms(percentile(taken[variant], 0.95)),
    variant === 'none' ? '–' : ms(added(variant)),
    variant === 'none' ? '–' : times(added(variant) / added('empty')),
  ]
  return {
    head: ['one Bash call (`true`)', 'p50', 'p95', 'added (p50)', 'compared with the empty server'],
    rows: variants.map(row),
    notes: [
      `${taken.rein.length} calls each, in ${rounds} conversations each. Hook events per call: ${events.toFixed(2)}.`,
    ],
    goals: [
      {
        what: "added time of Rein's hooks, compared with an empty server:",
        value: added('rein') / added('empty'),
        limit: 1.2,
        kind: 'at most',
      },
      { what: 'hook events per call:', value: events, limit: 2, kind: 'at most' },
    ],
  }
}

export const hooks: Topic = { title: 'Hooks in a real Claude Code', run }
