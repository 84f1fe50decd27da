import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { socketIn } from '../test/support/broadcaster.ts'
import type { BroadcastOrder, BroadcastResult } from './broadcaster.ts'
import { type Findings, interleave, median, ms, percentile, timed, type Topic } from './measure.ts'
import { Role } from './role.ts'
import type { SubscriberOrder, SubscriberResult } from './subscribers.ts'

const subscribers = 1000
const stuck = 100
const rounds = 10
const perRound = 100
const alone = 100
const bytes = 1024
const burst = { turns: 1000, bytes: 4096 }

type Kind = 'bare' | 'rein'
const names: Record<Kind, string> = {
  bare: 'a bare Node socket server',
  rein: 'Rein, through its log',
}

/** One broadcaster with its subscribers, each in a process of its own. */
class Side {
  readonly #dir = mkdtempSync(join(tmpdir(), 'rein-bench-'))
  readonly #broadcaster: Role<BroadcastOrder, BroadcastResult>
  readonly #others: { end(): void }[] = []
  #subscribers: Role<SubscriberOrder, SubscriberResult> | null = null
  #turns = 0
  #connections = 0

  constructor(role: string) {
    this.#broadcaster = new Role(role, this.#dir)
  }

  async gather(count: number): Promise<void> {
    await this.send(0, bytes)
    this.#subscribers = this.#join(count, '')
    await this.#untilConnected(count)
  }

  async gatherStuck(count: number): Promise<void> {
    await this.send(0, bytes)
    this.#join(count, 'stuck')
    await this.#untilConnected(count)
  }

  /** Broadcasts turns until every subscriber has them; how long that took each of them. */
  async broadcast(turns: number, size: number): Promise<{ latencies: number[]; result: BroadcastResult }> {
    const received = this.#subscribers?.ask({ lines: turns })
    const result = await this.send(turns, size)
    const { at } = (await received) ?? { at: [] }
    return { latencies: at.map((each) => each - result.at), result }
  }

  async send(turns: number, size: number): Promise<BroadcastResult> {
    const result = await this.#broadcaster.ask({ from: this.#turns, turns, bytes: size })
    this.#turns += turns
    return result
  }

  end(): void {
    for (const role of [...this.#others, this.#broadcaster]) role.end()
    rmSync(this.#dir, { recursive: true, force: true })
  }

  /** Resolves when so many more are known to the broadcaster, who takes in one at a time. */
  async #untilConnected(count: number): Promise<void> {
    this.#connections += count
    while ((await this.send(0, bytes)).connections < this.#connections);
  }

  #join(count: number, kind: string): Role<SubscriberOrder, SubscriberResult> {
    const role = new Role<SubscriberOrder, SubscriberResult>(
      'subscribers',
      `${socketIn(this.#dir)} ${count} ${kind}`.trim(),
    )
    this.#others.push(role)
    return role
  }
}

const run = async (): Promise<Findings> => {
  const sides: Record<Kind, Side> = { bare: new Side('bare-broadcaster'), rein: new Side('broadcaster') }
  try {
    for (const side of Object.values(sides)) await side.gather(subscribers)
    for (const side of Object.values(sides)) await side.broadcast(perRound, bytes)
    const rates = await interleave({ bare: () => rate(sides.bare), rein: () => rate(sides.rein) }, rounds)
    const latencies: Record<Kind, number[]> = { bare: [], rein: [] }
    const single = (kind: Kind) => async (): Promise<number> => latencies[kind].push(...(await oneTurn(sides[kind])))
    await interleave({ bare: single('bare'), rein: single('rein') }, alone)
    return toFindings(rates, latencies, await withStuck())
  } finally {
    for (const side of Object.values(sides)) side.end()
  }
}

/** Deliveries per second. */
const rate = async (side: Side): Promise<number> =>
  (subscribers * perRound * 1000) / (await timed(() => side.broadcast(perRound, bytes)))

const oneTurn = async (side: Side): Promise<number[]> => (await side.broadcast(1, bytes)).latencies

interface Stuck {
  perSecond: number
  /** Its memory: before anybody was there, and the most it ever was. */
  before: number
  most: number
}

/** Everything at once, to a new broadcaster: what is not read by some must not cost the others anything. */
const withStuck = async (): Promise<Stuck> => {
  const side = new Side('broadcaster')
  try {
    const { residentMB } = await side.send(0, bytes)
    await side.gatherStuck(stuck)
    await side.gather(subscribers - stuck)
    const taken = await timed(() => side.broadcast(burst.turns, burst.bytes))
    const { mostMB } = await side.send(0, bytes)
    return { perSecond: ((subscribers - stuck) * burst.turns * 1000) / taken, before: residentMB, most: mostMB }
  } finally {
    side.end()
  }
}

const toFindings = (
  rates: Record<Kind, number[]>,
  latencies: Record<Kind, number[]>,
  { perSecond, before, most }: Stuck,
): Findings => {
  const share = median(rates.rein.map((each, round) => each / (rates.bare[round] ?? Number.NaN)))
  const row = (kind: Kind): string[] => [
    names[kind],
    median(rates[kind]).toFixed(0),
    kind === 'rein' ? share.toFixed(2) : '1',
    ms(percentile(latencies[kind], 0.5)),
    ms(percentile(latencies[kind], 0.95)),
  ]
  return {
    head: [`${subscribers} subscribers`, 'deliveries per second', 'compared', 'one turn: p50', 'p95'],
    rows: [row('bare'), row('rein')],
    notes: [
      `${burst.turns} turns of ${burst.bytes / 1024} KiB at once, while ${stuck} of the ${subscribers} never read: the others get every one, ` +
        `${perSecond.toFixed(0)} deliveries per second. Memory of the process (RSS): ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most.`,
    ],
    goals: [
      { what: 'deliveries, compared with a bare socket server:', value: share, limit: 0.6, kind: 'at least' },
      {
        what: 'turn end to subscriber, p95 in ms',
        value: percentile(latencies.rein, 0.95),
        limit: 50,
        kind: 'at most',
      },
      { what: `a burst with ${stuck} stuck, RSS in MB`, value: most, limit: 150, kind: 'at most' },
    ],
  }
}

export const broadcast: Topic = { title: 'Turns to 1,000 subscribers', run }
