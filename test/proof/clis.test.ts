import { expect, test } from 'vitest'
import type { HostKind } from '../../src/contract/agent.ts'
import type { Receipt } from '../../src/contract/directive.ts'
import { type Cli, clis } from '../support/clis.ts'
import { shownIn, startRein, type TestRein } from '../e2e/harness.ts'
import { hasTmux } from '../support/abilities.ts'
import { changedFiles, hashFiles } from './file-hashes.ts'
import { addGuard, guardCompiled, guardRule } from './guarded.ts'
import { mostShown, requestBefore } from './model.ts'

const terminal = hasTmux ? 'tmux' : 'pty'

/** Headless, Gemini CLI runs no hooks around tools. */
const hostOf = (name: string): HostKind => (name === 'gemini' ? terminal : 'stream')

/** The model acknowledges nothing: that would be another turn of each CLI. */
const startAgent = async (cli: Cli, prompt: string): Promise<TestRein & { changed: () => string[] }> => {
  const rein = await startRein({ cli, scenario: '' })
  addGuard(rein)
  const before = hashFiles(rein.cwd)
  await rein.up(prompt, {}, { host: hostOf(cli.name) })
  return { ...rein, changed: () => changedFiles(before, hashFiles(rein.cwd)) }
}

const expectEvidence = ({ steps }: Receipt): void => {
  const [placed, seen] = ['placed', 'seen'].map((state) => steps.find((step) => step.state === state)?.evidence)
  const entry: unknown = expect.any(String)
  expect(placed).toMatchObject({ source: 'transcript', entry })
  expect(seen).toMatchObject({ source: 'transcript', entry: placed?.entry, descendant: entry })
  expect(seen?.descendant).not.toBe(seen?.entry)
}

const named = clis.map((cli) => [cli.name, cli] as const)

test.each(named)('%s is told while it works, and a denied call does not run', async (_, cli) => {
  const guarded = 'WAIT:guarded ;; RUN:touch forbidden.txt'
  const stopped = 'WAIT:stopped ;; RUN:touch too-late.txt'
  const rein = await startAgent(cli, `WAIT:busy ;; RUN:touch allowed.txt ;; ${guarded} ;; ${stopped} ;; SAY:done`)
  const { sim, tell, reached } = rein

  await sim.reached('busy')
  const told = await tell('Use tabs.')
  sim.release('busy')
  expect(shownIn(await requestBefore(rein, 'WAIT:guarded'), told.id)).toBe(1)

  await guardCompiled(rein)
  sim.release('guarded')
  expect((await requestBefore(rein, 'WAIT:stopped')).newText).toContain(guardRule)
  expectEvidence(await reached(told.id, 'seen'))

  await sim.reached('stopped')
  const urgent = await tell('Stop: wrong directory.', { priority: 'urgent' })
  sim.release('stopped')
  expect((await requestBefore(rein, 'SAY:done')).newText).toContain('| Stop: wrong directory.')
  const receipt = await reached(urgent.id, 'seen')
  expectEvidence(receipt)
  expect(receipt.steps.find(({ state }) => state === 'offered')?.via).toBe('denial')

  expect([told, urgent].map(({ id }) => mostShown(rein, id))).toEqual([1, 1])
  // Neither the denied calls nor Rein have left anything in the project.
  expect(rein.changed()).toEqual(['allowed.txt'])
})
