import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Box, repository } from '../test/process/harness.ts'
import { prepareBusyClaude, withBox } from './box.ts'
import { type Findings, type Goal, interleave, least, median, ms, times, type Topic } from './measure.ts'

const rounds = 40
const bare = 'node -e 0'
const commands = {
  '--version': ['--version'],
  '--help': ['--help'],
  ps: ['ps'],
  tell: ['tell', 'agent-1', 'How far are you?'],
} as const
type Name = keyof typeof commands
const names = Object.keys(commands) as Name[]

const run = (): Promise<Findings> => withBox((box) => measure(startsIn(box)))

type Starts = Record<string, () => Promise<number>>

/** How long each command takes, with a daemon that has three agents. */
const startsIn = (box: Box): Starts => {
  prepareBusyClaude(box)
  const program = join(repository, 'bin/rein.cjs')
  const type = (...args: string[]): void => {
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: box.cwd, env: box.env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  }
  for (const handle of ['agent-1', 'agent-2', 'agent-3']) type(program, 'up', handle, '--host', 'stream')
  const timed = (args: readonly string[]) => async (): Promise<number> => {
    const started = performance.now()
    type(...args)
    return performance.now() - started
  }
  const ofRein = names.map((name) => [`rein ${name}`, timed([program, ...commands[name]])] as const)
  return { [bare]: timed(['-e', '0']), ...Object.fromEntries(ofRein) }
}

const measure = async (starts: Starts): Promise<Findings> => {
  await interleave(starts, 3)
  return toFindings(await interleave(starts, rounds))
}

const toFindings = (taken: Record<string, number[]>): Findings => {
  const medianOf = (name: string): number => median(taken[name] ?? [])
  const goal = (name: Name, limit: number): Goal => ({
    what: `\`rein ${name}\`, compared with bare Node:`,
    value: medianOf(`rein ${name}`) / medianOf(bare),
    limit,
    kind: 'at most',
  })
  return {
    head: ['command', 'least', 'median', 'compared with bare Node'],
    rows: Object.entries(taken).map(([name, each]) => [
      `\`${name}\``,
      ms(least(each)),
      ms(median(each)),
      times(median(each) / medianOf(bare)),
    ]),
    notes: [],
    goals: [goal('--version', 1.15), goal('--help', 1.6), goal('ps', 2), goal('tell', 2.4)],
  }
}

export const startup: Topic = { title: 'Starting the command', run }
