import { withBox } from './box.ts'
import { type Findings, type Goal, median, ms, percentile, type Topic } from './measure.ts'
import { madeUpHistory } from './memory-history.ts'
import type { MemoryOrder, MemoryResult } from './memory-model.ts'
import { Role } from './role.ts'

const commands = 1_000_000
const asked = 4000
const mebi = 2 ** 20

const run = async (): Promise<Findings> => {
  const model = new Role<MemoryOrder, MemoryResult>('memory-model', '')
  const result = await model.ask({ commands, asked })
  model.end()
  return toFindings(result, await toldPerSecond())
}

const told = 20_000
const perRequest = 500

/** A daemon is told of commands as `rein memory import` does: secrets are taken out, they are on disk, they are learnt. */
const toldPerSecond = (): Promise<number> =>
  withBox(async (box) => {
    const client = box.client()
    await client.status()
    const history = [...madeUpHistory(told)].map(({ command, session, exit, agent, time }) => ({
      command,
      session,
      exit,
      author: agent,
      at: time,
      cwd: box.cwd,
    }))
    const started = performance.now()
    for (let at = 0; at < told; at += perRequest)
      await client.ingest({ cwd: box.cwd, commands: history.slice(at, at + perRequest) })
    return (told / (performance.now() - started)) * 1000
  })

const goal = (what: string, value: number, limit: number, kind: Goal['kind']): Goal => ({ what, value, limit, kind })

const timeRow = (what: string, values: readonly number[]): string[] => [
  what,
  (1000 / median(values)).toFixed(0),
  ms(median(values)),
  ms(percentile(values, 0.99)),
]

const toFindings = (result: MemoryResult, daemonRate: number): Findings => {
  const [reading, learning] = [median(result.readingRates), median(result.learningRates)]
  return {
    head: [`${commands.toLocaleString('en')} commands`, 'per second', 'p50', 'p99'],
    rows: [
      ['reading a command line (program, words, shape), nothing learnt', reading.toFixed(0), '', ''],
      ['learning commands in batches, which includes reading them', learning.toFixed(0), '', ''],
      [
        `a daemon is told of them in batches of ${perRequest}: without secrets, on disk, learnt`,
        daemonRate.toFixed(0),
        '',
        '',
      ],
      timeRow('the next command, 10 suggestions', result.predicting),
      timeRow('the rest of a line after 1 to 8 characters, 5 suggestions', result.completing),
      timeRow('learning a command that was predicted, with the weights', result.learning),
    ],
    notes: [
      `Memory after all of them: ${mib(result.live)} MiB in use. The whole process has ${mib(result.peak)} MiB more than before, and ${mib(result.resident)} MiB once garbage is collected. ` +
        `A snapshot has ${mib(result.snapshotBytes)} MiB; it is made in ${ms(result.savingMs)} and read in ${ms(result.restoringMs)}.`,
    ],
    goals: [
      goal('commands learnt per second, in thousands:', learning / 1000, 20, 'at least'),
      goal('commands per second that a daemon takes in, in thousands:', daemonRate / 1000, 20, 'at least'),
      goal('the next command at 1,000,000, p99 in ms:', percentile(result.predicting, 0.99), 10, 'at most'),
      goal('the rest of a line, p99 in ms:', percentile(result.completing, 0.99), 10, 'at most'),
      goal('memory in use, in MiB:', result.live / mebi, 200, 'at most'),
      goal(
        'memory that the whole process has more, garbage collected, in MiB:',
        result.resident / mebi,
        200,
        'at most',
      ),
      goal('learning, compared with reading the lines alone:', learning / reading, 0.15, 'at least'),
    ],
  }
}

const mib = (bytes: number): string => (bytes / mebi).toFixed(0)

export const memory: Topic = { title: 'Command memory', run }
