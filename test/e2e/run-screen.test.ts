import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { envOf } from '../clis.ts'
import { onScreen, type ScreenOf } from '../process/screen.ts'
import { startRein, type TestRein } from './harness.ts'

const has = (text: string | RegExp) => (lines: string[]) =>
  lines.some((line) => (typeof text === 'string' ? line.includes(text) : text.test(line)))

/** `rein run` as a person starts it in a terminal. */
const runOn = (rein: TestRein, args: string[] = [], size: { columns?: number; rows?: number } = {}): ScreenOf => {
  const env = { ...rein.daemonEnv, ...envOf(rein.cli, rein.home, rein.sim.url) }
  return onScreen(['run', ...args], { cwd: rein.cwd, env, columns: 100, rows: 40, ...size })
}

const idle = has(/^■ idle/)
/** What the model has got so far, all of it. */
const modelGot = ({ sim }: TestRein): string => sim.requests.map(({ text }) => text).join('\n')

test('a conversation: text as it comes, permissions, interrupting, a queue', async () => {
  const rein = await startRein({ scenario: 'on (# Report[^]*?END) do SAY:$1' })
  const screen = runOn(rein, ['THINK:let me see ;; SLOW:1:It **is** so: one two three'])
  await screen.until(has('✻ let me see'))
  await screen.until(has('It is so: one two three'))
  await screen.until(idle)
  expect(screen.isAlternate()).toBe(true)
})
