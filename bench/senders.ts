import { startBusyAgents, withBox } from './box.ts'
import { type Findings, interleave, median, ms, percentile, type Topic } from './measure.ts'
import { Role } from './role.ts'
import type { Kind, SendOrder, SendResult } from './sender.ts'

const rounds = 13
const perRound = 1500
const names: Record<Kind, string> = {
  hello: 'empty request (`GET /v1/hello`)',
  nothing: 'as many bytes, nothing to do (a hook call of no agent)',
  tell: 'directive, durably accepted (`POST /v1/directives`)',
}

const run = (): Promise<Findings> =>
  withBox(async (box) => {
    const client = box.client()
    const handles = await startBusyAgents(box, 3)
    const sender = new Role<SendOrder, SendResult>('sender', box.paths.socket)
    const latencies: Record<Kind, number[]> = { hello: [], nothing: [], tell: [] }
    const send = (kind: Kind) => async (): Promise<number> => {
      const result = await sender.ask({ kind, count: perRound, handles, cwd: box.cwd })
      latencies[kind].push(...result.latencies)
      return result.perSecond
    }
    const before = await client.status()
    const rates = await interleave({ hello: send('hello'), nothing: send('nothing'), tell: send('tell') }, rounds)
    const after = await client.status()
    sender.end()
    return toFindings(rates, latencies, (after.commits - before.commits) / (after.accepted - before.accepted))
  })

/** What the daemon needs until its code is compiled is not measured. */
const warm = (values: number[]): number[] => values.slice(Math.floor(values.length / 5))

const toFindings = (rates: Record<Kind, number[]>, latencies: Record<Kind, number[]>, fsyncs: number): Findings => {
  const pairs = (kind: Kind): number => median(warm(rates.tell.map((rate, round) => rate / (rates[kind][round] ?? 0))))
  const row = (kind: Kind): string[] => [
    names[kind],
    median(warm(rates[kind])).toFixed(0),
    ms(percentile(warm(latencies[kind]), 0.5)),
    ms(percentile(warm(latencies[kind]), 0.99)),
    kind === 'tell' ? '1' : pairs(kind).toFixed(2),
  ]
  return {
    head: ['30 senders at once', 'answers per second', 'p50', 'p99', 'directives compared with it'],
    rows: [row('hello'), row('nothing'), row('tell')],
    notes: [`${fsyncs.toFixed(3)} commits (each one fsync) per accepted directive.`],
    goals: [
      {
        what: 'durably accepted directives, compared with requests of that size that ask for nothing:',
        value: pairs('nothing'),
        limit: 0.6,
        kind: 'at least',
      },
    ],
  }
}

export const senders: Topic = { title: '30 concurrent senders', run }
