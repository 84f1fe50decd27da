import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repository } from '../test/process/harness.ts'
import { startBusyAgents, withBox } from './box.ts'
import { type Findings, type Goal, interleave, least, median, ms, times, type Topic } from './measure.ts'

const rounds = 40
const program = join(repository, 'bin/rein.cjs')

const commands = {
  'node -e 0': ['-e', '0'],
  'rein --version': [program, '--version'],
  'rein ps': [program, 'ps'],
} as const
type Name = keyof typeof commands

const run = (): Promise<Findings> =>
  withBox(async (box) => {
    await startBusyAgents(box, 3)
    const start = (name: Name) => async (): Promise<number> => {
      const started = performance.now()
      const { status } = spawnSync(process.execPath, commands[name], { cwd: box.cwd, env: box.env, stdio: 'ignore' })
      if (status !== 0) throw new Error(`${name} ended with ${status}.`)
      return performance.now() - started
    }
    const variants = {
      'node -e 0': start('node -e 0'),
      'rein --version': start('rein --version'),
      'rein ps': start('rein ps'),
    }
    await interleave(variants, 3)
    return toFindings(await interleave(variants, rounds))
  })

const toFindings = (taken: Record<Name, number[]>): Findings => {
  const bare = taken['node -e 0']
  const row = (name: Name): string[] => [
    `\`${name}\``,
    ms(least(taken[name])),
    ms(median(taken[name])),
    times(median(taken[name]) / median(bare)),
  ]
  const goal = (name: Name, limit: number): Goal => ({
    what: `\`${name}\`, compared with bare Node:`,
    value: median(taken[name]) / median(bare),
    limit,
    kind: 'at most',
  })
  return {
    head: ['command', 'least', 'median', 'compared with bare Node'],
    rows: [row('node -e 0'), row('rein --version'), row('rein ps')],
    notes: [],
    goals: [goal('rein --version', 1.15), goal('rein ps', 2)],
  }
}

export const startup: Topic = { title: 'Starting the command', run }
