import { expect, test } from 'vitest'
import { cliNamed } from '../clis.ts'
import { startRein } from './harness.ts'
import { startRun } from './run-harness.ts'

test.each(['claude', 'codex'])(
  '%s: the words of the model on stdout, the rest on stderr, and the agent is gone',
  async (name) => {
    const rein = await startRein({ cli: cliNamed(name) })
    const run = startRun(rein, ['--driver', name, '-'], 'THINK:hm ;; RUN:echo from-the-tool ;; SLOW:1:one two three\n')
    expect(await run.ended).toBe(0)
    expect(run.stdout()).toBe('one two three\n')
    expect(await rein.client.ps({})).toEqual([])
  },
)
