import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { cliNamed, driverOf, envOf, programOf } from '../support/clis.ts'
import { byHand } from '../conformance/by-hand.ts'
import { reinBin, startRein, type TestRein } from './harness.ts'
import { expectSame } from './messages.ts'
import { files, fill, prefixOf, turnsReach, walk } from './session-walk.ts'
import { idle, shows, terminalOf } from './terminal.ts'

const [first, second] = [
  'RUN:rm gone.txt; echo 1 > made.txt ;; SAY:one',
  'RUN:mv made.txt other.txt ;; SAY:two',
] as const

const requestFor = ({ sim }: TestRein, prompt: string, from = 0): Promise<SimRequest> =>
  sim.next((one) => one.isMain && one.newText.includes(prompt), from)

test('in a terminal, too: the CLI shows the conversation as it was', async () => {
  const walked = await walk({ host: 'tmux', promptsIn: () => [first, second] })
  const { client, cwd, target, states, requests, say } = walked
  await idle(walked)
  const moved = await client.rewind({ ...target, turn: '1' })
  expect(moved).toMatchObject({ from: '2', to: '1', isRunning: true })
  expect(files(cwd)).toEqual(states[1])
  const screen = await shows(await terminalOf(walked), 'SAY:one')
  expect(screen).not.toContain('SAY:two')
  expectSame(await say(second), requests[2] as SimRequest, second)
  expect(files(cwd)).toEqual(states[2])
})

test('codex: two turns, back to the first, and on from there', async () => {
  const rein = await startRein({ cli: cliNamed('codex'), scenario: '' })
  const { client, cwd } = rein
  const target = { target: 'worker', cwd }
  fill(cwd)
  const turn = async (prompt: string, count: number): Promise<SimRequest> => {
    const { length } = rein.sim.requests
    await rein.up(prompt, count === 1 ? {} : { continue: true })
    const request = await requestFor(rein, prompt, length)
    await turnsReach(rein, target, count)
    await idle(rein)
    await client.down(target)
    return request
  }
  await turn(first, 1)
  const state = files(cwd)
  const original = await turn(second, 2)
  const end = files(cwd)
  const moved = await client.rewind({ ...target, turn: '1' })
  expect(moved).toMatchObject({
    isRunning: false,
    command: expect.stringMatching(/^rein up \S+\/worker --continue$/) as string,
  })
  expect(files(cwd)).toEqual(state)
  expectSame(await turn(second, 3), original, second)
  expect(files(cwd)).toEqual(end)
  const { turns } = await client.session(target)
  expect(turns.map(({ label, parent }) => `${parent} ${label}`)).toEqual(['0 1', '1 2', '1 2b'])
})

test('one that was started by hand: its turns are there, and after its end it goes on from any of them', async () => {
  const rein = await startRein({ scenario: '' })
  const { cli, client, cwd, home, sim, daemonEnv } = rein
  const target = { target: 'by-hand', cwd }
  fill(cwd)
  const env = { ...daemonEnv, ...envOf(cli, home, sim.url) }
  await promisify(execFile)(process.execPath, [reinBin, 'setup', '--driver', cli.name], { cwd, env })
  const terminal = await byHand(rein, driverOf(cli), programOf(cli), `WAIT:known ;; ${first}`)
  onTestFinished(terminal.close)
  await sim.reached('known')
  await terminal.known()
  sim.release('known')
  await turnsReach(rein, target, 1)
  const state = files(cwd)
  await idle(rein)
  await terminal.say(second)
  const original = await requestFor(rein, second)
  await turnsReach(rein, target, 2)
  const end = files(cwd)
  await idle(rein)
  await expect(client.rewind({ ...target, turn: '1' })).rejects.toMatchObject({
    message: 'by-hand was not started by Rein, which cannot end it.',
  })
  await terminal.close()
  await rein.record('agents', (one): one is typeof one => one.type === 'agent.state' && one.body.state === 'stopped')
  const moved = await client.rewind({ ...target, turn: '1' })
  expect(moved).toMatchObject({
    isRunning: false,
    command: expect.stringMatching(/^rein up \S+\/by-hand --continue$/) as string,
  })
  expect(files(cwd)).toEqual(state)
  const { length } = sim.requests
  await rein.up(second, { continue: true }, { handle: 'by-hand' })
  const again = await requestFor(rein, second, length)
  expect(prefixOf(again, second)).toEqual(prefixOf(original, second))
  await turnsReach(rein, target, 3)
  expect(files(cwd)).toEqual(end)
})
