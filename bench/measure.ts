import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'

/** What one topic found out: a table, the goals it is held to, and what has to be said beside. */
export interface Findings {
  head: string[]
  rows: string[][]
  goals: Goal[]
  notes: string[]
}

export interface Goal {
  what: string
  value: number
  limit: number
  /** Whether the limit is the most or the least that is allowed. */
  kind: 'at most' | 'at least'
}

export interface Topic {
  title: string
  run: () => Promise<Findings>
}

export const isMet = ({ value, limit, kind }: Goal): boolean => (kind === 'at most' ? value <= limit : value >= limit)

/** The value below which `share` of all values lie. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)
export const least = (values: readonly number[]): number => Math.min(...values)

/** Runs every variant once, then every variant again, …: whatever disturbs the machine disturbs all of them. */
export const interleave = async <Name extends string>(
  variants: Record<Name, (round: number) => Promise<number>>,
  rounds: number,
): Promise<Record<Name, number[]>> => {
  const names = Object.keys(variants) as Name[]
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round < rounds; round += 1) {
    const first = round % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) taken[name].push(await variants[name](round))
  }
  return taken
}

export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`
export const times = (value: number): string => `${value.toFixed(2)} ×`

/** On what the figures were taken. */
export const machine = (): string => {
  const [{ model } = { model: 'unknown' }] = cpus()
  const load = loadavg()[0]?.toFixed(1)
  const gib = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} cores (${model.trim()}), ${gib} GiB, Linux ${release()}, Node ${process.version}, ${curlVersion()}; load before: ${load}`
}

const curlVersion = (): string =>
  execFileSync('curl', ['--version'], { encoding: 'utf8' }).split(' ').slice(0, 2).join(' ')

const line = (cells: string[]): string => `| ${cells.join(' | ')} |`

export const tableOf = (head: string[], rows: string[][]): string =>
  [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')

export const toMarkdown = ({ head, rows, goals, notes }: Findings): string =>
  [tableOf(head, rows), ...notes, goals.map(goalLine).join('\n')].filter(Boolean).join('\n\n')

const goalLine = (goal: Goal): string => {
  const { what, value, limit, kind } = goal
  return `- ${isMet(goal) ? 'met' : '**missed**'}: ${what} ${value.toFixed(2)} (goal: ${kind} ${limit})`
}
