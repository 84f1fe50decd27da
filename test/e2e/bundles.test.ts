import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cliNamed, envOf } from '../clis.ts'
import { startRein, type TestRein } from './harness.ts'
import { messagesOf } from './messages.ts'
import { files, prefixOf, turnsReach, type Walked, walk } from './session-walk.ts'

const bundleOf = ({ home }: TestRein): string => join(home, 'work.rein')

/** Another machine: its own home, its own Rein, its own directory. */
const elsewhere = (cli: string): Promise<TestRein> => startRein({ scenario: '', cli: cliNamed(cli) })

const take = ({ client, cwd, home, cli, sim }: TestRein, file: string, full: boolean) =>
  client.importSession({ cwd, file, into: cwd, full, yes: true, env: envOf(cli, home, sim.url) })

/** What the model got before this prompt, as far as it goes. */
const expectPrefix = (got: unknown[], was: unknown[], least: number): void => {
  expect(was.length).toBeGreaterThanOrEqual(least)
  expect(got.slice(0, was.length)).toEqual(was)
}

test('claude: five turns go on elsewhere, message for message and byte for byte', async () => {
  const here: Walked = await walk()
  const last = await here.say('SAY:sixth')
  const exported = await here.client.exportSession({ ...here.target, file: bundleOf(here), turns: { last: '5' } })
  expect(exported.bundle.turns.map(({ label, hasFiles }) => [label, hasFiles])).toEqual(
    ['1', '2', '3', '4', '5'].map((label) => [label, true]),
  )

  const there = await elsewhere('claude')
  const imported = await take(there, bundleOf(here), true)
  expect(files(there.cwd)).toEqual(withoutIgnored(here.states[5] ?? {}))
  expect(imported.command).toContain(`--resume ${imported.conversation}`)
  // Nothing is started by an import.
  expect(await there.client.ps({ all: true })).toEqual([])

  await there.up('SAY:sixth', { resume: imported.conversation ?? '' })
  const next = await there.sim.next((request) => request.isMain && request.newText.includes('SAY:sixth'))
  expectPrefix(prefixOf(next, 'SAY:sixth'), prefixOf(last, 'SAY:sixth'), 10)

  // The turns are there with their files, and can be gone back to.
  const target = { target: 'worker', cwd: there.cwd }
  await turnsReach(there, target, 6)
  const { turns } = await there.client.session(target)
  expect(turns.map(({ prompt }) => prompt)).toEqual([...here.prompts, 'SAY:sixth'])
  await there.client.rewind({ ...target, turn: '2' })
  expect(files(there.cwd)).toEqual(withoutIgnored(here.states[2] ?? {}))
  expect(messagesOf(last).length).toBeGreaterThan(0)
  expect(readFileSync(bundleOf(here)).subarray(0, 14).toString()).toBe('rein-bundle 1\n')
})

/** What git ignores is in no snapshot. */
const withoutIgnored = (state: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(state).filter(([name]) => name !== 'secret'))
