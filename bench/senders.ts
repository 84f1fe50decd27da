import { startBusyAgents, withBox } from './box.ts'
import { type Findings, interleave, median, ms, percentile, type Topic } from './measure.ts'
import { Role } from './role.ts'
import type { Kind, SendOrder, SendResult } from './sender.ts'

const agents = 5
const rounds = 12
const perRound = 2000
/** So many until the daemon's code is compiled as well as it will be. */
const warmUp = 12_000
const names: Record<Kind, string> = {
  hello: 'empty request (`GET /v1/hello`)',
  nothing: 'as many bytes, nothing to do (a hook call of no agent)',
  tell: 'directive, durably accepted (`POST /v1/directives`)',
}

const run = (): Promise<Findings> =>
  withBox(async (box) => {
    const client = box.client()
    const handles = await startBusyAgents(box, agents)
    const sender = new Role<SendOrder, SendResult>('sender', box.paths.socket)
    const latencies: Record<Kind, number[]> = { hello: [], nothing: [], tell: [] }
    const ask = (kind: Kind, count: number) => sender.ask({ kind, count, handles, cwd: box.cwd })
    const send = (kind: Kind) => async (): Promise<number> => {
      const result = await ask(kind, perRound)
      latencies[kind].push(...result.latencies)
      return result.perSecond
    }
    for (const kind of ['hello', 'nothing', 'tell'] as const) await ask(kind, warmUp)
    const before = await client.status()
    const rates = await interleave({ hello: send('hello'), nothing: send('nothing'), tell: send('tell') }, rounds)
    const after = await client.status()
    sender.end()
    return toFindings(rates, latencies, (after.commits - before.commits) / (after.accepted - before.accepted))
  })

const toFindings = (rates: Record<Kind, number[]>, latencies: Record<Kind, number[]>, fsyncs: number): Findings => {
  const pairs = (kind: Kind): number => median(rates.tell.map((rate, round) => rate / (rates[kind][round] ?? 0)))
  const row = (kind: Kind): string[] => [
    names[kind],
    median(rates[kind]).toFixed(0),
    ms(percentile(latencies[kind], 0.5)),
    ms(percentile(latencies[kind], 0.99)),
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
