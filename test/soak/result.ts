import { median } from '../../bench/measure.ts'
import { isAlive } from '../../src/contract/agent.ts'
import type { AnyRecord } from '../../src/contract/record.ts'
import type { Counts, Tally } from '../campaign/tally.ts'
import type { Gauged } from './gauge.ts'
import { growthPercent } from './growth.ts'
import type { Options } from './options.ts'
import type { Played } from './soak.ts'

/** A daemon that has just started still grows into its work. */
const memoryCountsFromMin = 5
const memoryLimitPercent = 10
const [doubled, descriptorGrowth, memoryGrowth] = ['doubled agents', 'descriptor growth', 'memory growth in %']
const mustBeZero = [
  'launched while it ran',
  'lost',
  'given up',
  'missing from the store',
  'lost acks',
  'false seen',
  doubled,
  'agents that do not run',
  'left over',
]

/** What happened, and what of Rein's own was seen; what became of the directives is counted apart. */
export const countEverything = ({ control }: Options, played: Played): Counts => {
  const { trouble, doubles, records } = played
  if (control === 'none') complain(played)
  const back = crashes(records).flatMap(({ at, back: then }) => (then === null ? [] : [then - at]))
  return {
    ...trouble.counts,
    'launched while it ran': launchedTwice(records),
    launches: records.filter(({ type }) => type === 'agent.launched').length,
    'terminals’ server killed → last of its agents on the log as crashed, ms at most': slowest(played),
    'crash on the log → launched again, ms (median, backoff of 1 s included)': Math.round(median(back)) || 0,
    'looks at all processes': doubles.samples,
    [doubled]: doubles.found.size,
    'agents that do not run': played.notRunning.length,
    ...countHeld(played.gauged),
    'end of the daemon, ms': played.stopMs,
    'left over': played.leftovers.length,
  }
}

const countHeld = (gauged: readonly Gauged[]): Counts => {
  const [early, late] = ends(gauged)
  const held = gauged.map(({ at, heldMiB }) => ({ at, mib: heldMiB }))
  return {
    'resident memory of the daemon early, MiB': rounded(early.residentMiB),
    'resident memory of the daemon late, MiB': rounded(late.residentMiB),
    'heaps of its threads early, MiB': rounded(early.heapMiB),
    'heaps of its threads late, MiB': rounded(late.heapMiB),
    'held memory early, MiB': rounded(early.heldMiB),
    'held memory late, MiB': rounded(late.heldMiB),
    [memoryGrowth]: rounded(growthPercent(held)),
    'descriptors early': early.descriptors.length,
    'descriptors late': late.descriptors.length,
    [descriptorGrowth]: late.descriptors.length - early.descriptors.length,
  }
}

const ends = (gauged: readonly Gauged[]): [Gauged, Gauged] => [gauged[0] as Gauged, gauged.at(-1) as Gauged]

const rounded = (value: number): number => Math.round(value * 10) / 10

const complain = ({ doubles, notRunning, leftovers, gauged, records }: Played): void => {
  const [early, late] = ends(gauged)
  for (const { residentMiB, heapMiB, heldMiB } of gauged)
    console.error(`memory, MiB: held ${rounded(heldMiB)}, heaps ${rounded(heapMiB)}, resident ${rounded(residentMiB)}`)
  if (late.descriptors.length !== early.descriptors.length)
    console.error(`descriptors early: ${byKind(early.descriptors)}\ndescriptors late: ${byKind(late.descriptors)}`)
  console.error(`crashes: ${byKind(crashes(records).map(({ why }) => why))}`)
  for (const one of doubles.found) console.error(`doubled: ${one}`)
  for (const one of notRunning) console.error(`does not run: ${one}`)
  for (const { pid, command } of leftovers) console.error(`left over: ${pid} ${command}`)
}

/** How many there are of each kind. */
const byKind = (all: readonly string[]): string => {
  const kinds = all.map((one) => one.replaceAll(/\d+|[0-9a-f-]{36}/g, '*'))
  return [...new Set(kinds)].map((kind) => `${kind} ×${kinds.filter((one) => one === kind).length}`).join(', ')
}

interface Crash {
  agent: string
  at: number
  why: string
  /** When it was launched again. */
  back: number | null
}

const crashes = (records: readonly AnyRecord[]): Crash[] =>
  records.flatMap((record, index) => {
    if (record.type !== 'agent.state' || record.body.state !== 'crashed') return []
    const next = records.slice(index).find(({ type, agent }) => type === 'agent.launched' && agent === record.agent)
    const why = record.body.evidence.detail?.split('\n')[0] ?? ''
    return [{ agent: record.agent ?? '', at: record.at, why, back: next?.at ?? null }]
  })

/** Launches of agents that had not ended, by the log. */
const launchedTwice = (records: readonly AnyRecord[]): number => {
  const alive = new Set<string>()
  let count = 0
  for (const { agent, ...record } of records) {
    if (record.type === 'agent.launched') {
      count += Number(alive.has(agent ?? ''))
      alive.add(agent ?? '')
    }
    if (record.type === 'agent.state' && !isAlive(record.body.state)) alive.delete(agent ?? '')
  }
  return count
}

/** A crash long afterwards has another reason. */
const fromKillMs = 5_000

/** Only where a daemon was there all the time. */
const slowest = ({ records, trouble, deaths, inTerminals }: Played): number => {
  const ofTerminals = crashes(records).filter(({ agent }) => inTerminals.has(agent))
  const isServed = (killed: number): boolean => !deaths.some((at) => Math.abs(at - killed) < fromKillMs)
  const taken = trouble.serverKills
    .filter(isServed)
    .flatMap((killed) =>
      [...inTerminals].map(
        (agent) => (ofTerminals.find((one) => one.agent === agent && one.at >= killed)?.at ?? killed) - killed,
      ),
    )
  return Math.max(0, ...taken.filter((ms) => ms < fromKillMs))
}

/** A control has to be found out: otherwise this soak could not see such a fault. */
export const judge = (counts: Counts, { control, minutes }: Options): string[] => {
  const of = (name: string): number => counts[name] ?? 0
  if (control === 'double') return of(doubled) > 0 ? [] : ['a doubled agent was not seen']
  if (control === 'leak') return of(descriptorGrowth) > 0 ? [] : ['held descriptors were not seen']
  const wrong = mustBeZero.filter((name) => of(name) > 0)
  if (of(descriptorGrowth) > 0) wrong.push(descriptorGrowth)
  if (minutes >= memoryCountsFromMin && of(memoryGrowth) >= memoryLimitPercent) wrong.push(memoryGrowth)
  return wrong.map((name) => `${name}: ${of(name)}`)
}

export const toMarkdown = ({ mode, seed, counts, failures }: Tally): string => {
  const rows = Object.entries(counts).map(([name, value]) => `| ${name} | ${value} |`)
  const verdict = failures.length === 0 ? 'As it must be.' : `**Not as it must be**: ${failures.join(', ')}.`
  return [`| ${mode}, seed ${seed} | |`, '| --- | ---: |', ...rows, '', verdict].join('\n')
}
