import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { cliNamed, envOf, settle } from '../support/clis.ts'
import { startRein, type TestRein } from '../e2e/harness.ts'
import { run } from '../process/harness.ts'
import { shapeOf, stepsOf } from './walk-through.ts'

/** What the agent of the page does. */
const scenario = [
  String.raw`on Write greet.sh do RUN:printf 'echo hello\n' > greet.sh && chmod +x greet.sh ;; SAY:greet.sh says hello.`,
  String.raw`on Take a name do RUN:printf 'echo "hello $@"\n' > greet.sh && rm notes.txt ;; SAY:It takes a name. The notes were stale.`,
  String.raw`on do it in Python do RUN:mkdir app && mv greet.sh app/ && printf 'print("hello")\n' > app/greet.py ;; SAY:There is a Python one now.`,
  'on in German do RUN:sed -i s/hello/hallo/ greet.sh ;; SAY:Hallo.',
].join('\n')

/** The page has an agent in a terminal, which is allowed to work; nobody looks at this one. */
const quiet = { REIN_AGENTS_HOST: 'stream', REIN_AGENTS_PERMISSION_MODE: 'bypassPermissions' }

/** A repository with a line that was never committed. */
const makeShop = (cwd: string): void => {
  mkdirSync(cwd)
  const git = (...args: string[]): Buffer =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd })
  git('init', '-q', '-b', 'main')
  writeFileSync(join(cwd, 'notes.txt'), 'Greetings\n')
  git('add', '-A')
  git('commit', '-q', '-m', 'Notes')
  appendFileSync(join(cwd, 'notes.txt'), 'Not committed\n')
}

const startShop = async (): Promise<{ rein: TestRein; cwd: string; env: Record<string, string> }> => {
  const rein = await startRein({ scenario, config: quiet })
  const cwd = join(realpathSync(rein.cwd), 'shop')
  makeShop(cwd)
  const cli = cliNamed('claude')
  await settle(cli, rein.home, rein.sim.url, cwd)
  await rein.client.status()
  const PATH = `${join(rein.paths.state, 'bin')}:${process.env['PATH'] ?? ''}`
  return { rein, cwd, env: { ...rein.daemonEnv, ...envOf(cli, rein.home, rein.sim.url), PATH } }
}

/** Resolves when there are so many turns, all of them ended and with their files, and the agent rests. */
const untilTurns = async ({ client }: TestRein, cwd: string, count: number): Promise<void> => {
  const isDone = async (): Promise<boolean> => {
    const { turns } = await client.session({ target: 'ada', cwd }).catch(() => ({ turns: [] }))
    return turns.length === count && turns.every(({ endedAt, hasFiles }) => endedAt !== null && hasFiles)
  }
  const enough = new AbortController()
  const follow = async (topic: string): Promise<void> => {
    for await (const _ of client.tail({ topic, after: 0, follow: true }, enough.signal)) if (await isDone()) return
  }
  // A turn ends on one topic, and its files are told of on another.
  await Promise.race([follow('turns'), follow('sessions')])
  enough.abort()
  for await (const { agents } of client.watch({ all: false })) if (agents.every(({ state }) => state === 'idle')) return
}

test('the walk-through of docs/sessions.md does what the page says', async () => {
  const { rein, cwd, env } = await startShop()
  const ask = async (prompt: string, turns: number): Promise<void> => {
    await rein.type(prompt)
    await untilTurns(rein, cwd, turns)
  }
  /** What somebody says in the terminal of the agent, as the page tells. */
  const before: Record<string, () => Promise<unknown>> = {
    tree: async () => {
      await untilTurns(rein, cwd, 1)
      await ask('Take a name', 2)
      await ask('Now do it in Python', 3)
    },
    branch: () => ask('Say it in German', 4),
  }
  for (const { name, commands, shown } of stepsOf('sessions.md')) {
    await before[name]?.()
    const { code, stdout, stderr } = await run(['bash', '-ec', commands], { cwd, env })
    expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: '' })
    const printed = stdout.trimEnd().replaceAll(dirname(cwd), '/src')
    expect(shapeOf(printed)).toEqual(shapeOf(shown ?? printed))
  }
})
