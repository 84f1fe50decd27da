import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { guardCommand } from '../src/drivers/guard.ts'
import { writeNoGuards } from '../test/support/no-guards.ts'
import { type Box, repository } from '../test/process/harness.ts'
import { withBox } from './box.ts'
import { type Findings, interleave, median, ms, percentile, times, timed, type Topic } from './measure.ts'

const rounds = 300
const program = join(repository, 'bin/rein-guard')

type Variant = 'none' | 'dead' | 'live'
const variants: readonly Variant[] = ['none', 'dead', 'live']
const names: Record<Variant, string> = {
  none: 'no guards, the daemon is dead',
  dead: 'guards on words and on files, the daemon is dead',
  live: 'the same, the daemon answers',
}

const rules = `version: 1
rules:
  - name: no-force-push
    on: shell
    guard: true
    when: { shell: { program: git, subcommand: push, flags: [-f, --force] } }
  - name: keep-keys
    on: [write, edit, delete]
    guard: true
    files: ['keys/**']
`

const run = (): Promise<Findings> =>
  withBox(async (box) => {
    const env = await stage(box)
    const turn = (variant: Variant) => () => timed(() => ask(box, env[variant]))
    const turns = { none: turn('none'), dead: turn('dead'), live: turn('live') }
    return toFindings(await interleave(turns, rounds))
  })

type Env = Record<string, string>

/** A daemon with guards, and beside it what one leaves that has died, with them and with none. */
const stage = async (box: Box): Promise<Record<Variant, Env>> => {
  mkdirSync(join(box.paths.state, 'rules'), { recursive: true, mode: 0o700 })
  writeFileSync(join(box.paths.state, 'rules/bench.yaml'), rules)
  await box.client().status()
  const grave = join(box.root, 'dead')
  mkdirSync(grave)
  copyFileSync(box.paths.guards, join(grave, 'guards'))
  const bare = join(box.root, 'no-guards')
  mkdirSync(bare)
  const { REIN_GUARDS: none } = await writeNoGuards(bare)
  writeFileSync(join(grave, 'daemon.json'), `${JSON.stringify({ pid: await deadPid() })}\n`)
  return {
    none: { REIN_GUARDS: none, REIN_SOCKET: join(grave, 'socket') },
    dead: { REIN_GUARDS: join(grave, 'guards'), REIN_SOCKET: join(grave, 'socket') },
    live: { REIN_GUARDS: box.paths.guards, REIN_SOCKET: box.paths.socket },
  }
}

const deadPid = async (): Promise<number> => {
  const child = spawn('true')
  await once(child, 'exit')
  return child.pid ?? 0
}

/** As a CLI runs it: by a shell, with the call on its standard input. */
const ask = async (box: Box, env: Env): Promise<void> => {
  const call = { session_id: 's', cwd: box.cwd, tool_name: 'Bash', tool_input: { command: 'git status --short' } }
  const child = spawn('/bin/sh', ['-c', guardCommand(program, 'claude', 'PreToolUse')], {
    env: { PATH: process.env['PATH'], HOME: box.root, REIN_PROJECT: box.cwd, ...env },
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(`${JSON.stringify(call)}\n`)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0 || said !== '') throw new Error(`The guard denied a harmless call (${code}): ${said}`)
}

const toFindings = (taken: Record<Variant, number[]>): Findings => {
  const ratio = (variant: Variant): number => median(taken[variant]) / median(taken.none)
  return {
    head: ['one call of the guard hook (`git status --short`)', 'p50', 'p95', 'compared with no guards'],
    rows: variants.map((variant) => [
      names[variant],
      ms(median(taken[variant])),
      ms(percentile(taken[variant], 0.95)),
      times(ratio(variant)),
    ]),
    notes: [`${rounds} calls each, in turns, from the start of the hook to its end.`],
    goals: [{ what: 'the daemon is dead, compared with no guards:', value: ratio('dead'), limit: 3, kind: 'at most' }],
  }
}

export const guards: Topic = { title: 'Guards', run }
