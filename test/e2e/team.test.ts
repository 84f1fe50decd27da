import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { PostedView } from '../../src/contract/routes/team.ts'
import { cliNamed, envOf, programOf, settle } from '../support/clis.ts'
import { shownIn, startRein, statesOf, type TestRein } from './harness.ts'

/** Agents that read what they are told is unread, and acknowledge events. */
const teamwork = [
  String.raw`on ^\| Unread messages in rooms of your team: build do RUN:rein chat read build --unread`,
  String.raw`on ^\| Events on the bus that wait for you: do RUN:rein bus read && rein bus ack --all`,
].join('\n')

const quick = { REIN_NOTIFY_STARTUP_GRACE_S: '0', REIN_NOTIFY_CHECK_S: '1', REIN_NOTIFY_COOLDOWN_S: '1' }

/** Claude Code in a terminal, Codex and Copilot CLI over their protocols, in one project with the room `build`. */
const startTeam = async (config: Record<string, string> = {}) => {
  const others = ['codex', 'copilot'].map(cliNamed)
  const programs = Object.fromEntries(others.map((cli) => [`REIN_${cli.name.toUpperCase()}_PATH`, programOf(cli)]))
  const rein = await startRein({ scenario: teamwork, config: { ...quick, ...programs, ...config } })
  for (const cli of others) await settle(cli, rein.home, rein.sim.url, rein.cwd)
  await rein.client.createRoom({ room: 'build', about: 'The build', cwd: rein.cwd })
  const start = (handle: string, driver: string, host: 'tmux' | 'stream', prompt: string) =>
    rein.up(prompt, {}, { handle, driver, host, env: envOf(cliNamed(driver), rein.home, rein.sim.url) })
  const say = (text: string): Promise<PostedView> => rein.client.post({ room: 'build', text, cwd: rein.cwd })
  return { rein, start, say }
}

const wires = { ada: 'anthropic', bob: 'responses', cid: 'chat' } as const
type Handle = keyof typeof wires

const requestsOf = ({ sim }: TestRein, handle: Handle) =>
  sim.requests.filter(({ wire, isMain }) => isMain && wire === wires[handle])

/** Resolves when the model behind this agent gets a text. */
const modelGot = ({ sim }: TestRein, handle: Handle, text: string | RegExp) =>
  sim.next(({ wire, isMain, text: all }) => isMain && wire === wires[handle] && all.search(text) >= 0)

const idleIn = async ({ client }: TestRein, handle: string): Promise<void> => {
  for await (const { agents } of client.watch({ all: false }))
    if (agents.find((one) => one.handle === handle)?.state === 'idle') return
}

const unreadIn = async ({ client, cwd }: TestRein) =>
  Object.fromEntries((await client.members({ room: 'build', cwd })).map(({ handle, unread }) => [handle, unread]))

test('three agents of three vendors: a mention wakes, a loud one turns, a question disturbs nobody, and unread is exact', async () => {
  const { rein, start, say } = await startTeam()
  await start('ada', 'claude', 'tmux', 'SAY:ready')
  await start('bob', 'codex', 'stream', 'WAIT:turned ;; RUN:touch wrong.txt ;; SAY:done')
  await start('cid', 'copilot', 'stream', 'WAIT:never ;; SAY:unsaid')
  await Promise.all([rein.sim.reached('turned'), rein.sim.reached('never'), idleIn(rein, 'ada')])

  const woken = await say('@ada the build is red, mail me@example.org')
  const [mention] = woken.mentions
  expect(woken).toMatchObject({ n: 1, unknown: [], mentions: [{ handle: 'ada', kind: 'plain', damped: false }] })
  const receipt = await rein.reached(mention?.directive ?? '', 'closed')
  expect(statesOf(receipt)).toEqual(['queued', 'offered', 'placed', 'seen'])
  const told = await modelGot(rein, 'ada', 'the build is red')
  expect(shownIn(told, mention?.directive ?? '')).toBe(1)
  expect(told.text).toMatch(/<rein-message id="\S+" room="build" post="1" from="the user" at="\S+"/)

  const turned = await say('@bob! wrong directory')
  rein.sim.release('turned')
  await rein.reached(turned.mentions[0]?.directive ?? '', 'closed')
  expect((await modelGot(rein, 'bob', 'wrong directory')).text).toContain('Not run. Read this first')
  expect(existsSync(join(rein.cwd, 'wrong.txt'))).toBe(false)

  const before = requestsOf(rein, 'cid').length
  const asked = await say('@cid? how is it going')
  expect(asked.answers).toMatchObject([{ handle: 'cid', state: 'working' }])
  expect(asked.mentions).toEqual([{ handle: 'cid', kind: 'query', directive: null, damped: false }])
  const { posts } = await rein.client.posts({ room: 'build', cwd: rein.cwd, last: 1 })
  expect(posts).toMatchObject([{ n: 4, kind: 'answer', from: 'rein', text: expect.stringContaining('cid is working') }])

  // What was said to others wakes nobody: ada has not looked. What is said to all who are there does.
  expect(await unreadIn(rein)).toMatchObject({ ada: 4, cid: 4 })
  await say('Lunch.')
  await untilUnread(rein, { ada: 0, bob: 0, cid: 5, user: 1 })
  const read = await modelGot(rein, 'ada', /^#5 \S+ the user:\n\| Lunch\.$/m)
  expect(read.text).toMatch(/^#3 \S+ the user:\n\| @cid\? how is it going$/m)
  expect(read.text).toMatch(/^#4 \S+ rein:\n\| cid is working\.$/m)
  expect(requestsOf(rein, 'cid').length).toBe(before)
})

/** Resolves when everybody has exactly so much left to read. */
const untilUnread = async (rein: TestRein, expected: Record<string, number>): Promise<void> => {
  const follow = rein.client.followRooms({ cwd: rein.cwd, room: 'build' })
  for await (const _ of follow) if (isDeepStrictEqual(await unreadIn(rein), expected)) return
}

test('a check-in reaches a silent agent, a checkpoint fires at every second decision, and a new one is told where it is', async () => {
  const { rein, start } = await startTeam({ REIN_TEAM_CHECKIN_MINUTES: '0.1', REIN_TEAM_CHECKPOINT_DECISIONS: '2' })
  const up = (handle: string, driver: string) =>
    rein.up(null, {}, { handle, driver, env: envOf(cliNamed(driver), rein.home, rein.sim.url) })
  await start('ada', 'claude', 'tmux', 'SAY:ready')
  await up('bob', 'codex')
  const first = await modelGot(rein, 'bob', 'You are bob, an agent of a team')
  expect(first.text).toContain('Your team talks in the room build.')
  expect(first.text).toContain('rein-team')

  const asked = await modelGot(rein, 'ada', 'Check-in: what are you working on')
  expect(asked.text).toMatch(/<rein-message id="\S+" room="build" post="1" from="rein" at="\S+"/)

  expect((await rein.rein('decision', 'log', 'Tabs it is.')).stdout).toContain('#1')
  const second = await rein.client.decide({ text: 'And semicolons.', cwd: rein.cwd })
  expect(second).toMatchObject({ n: 2, checkpoint: expect.any(String) })
  const read = await modelGot(rein, 'ada', new RegExp(`${second.checkpoint}.*checkpoint`))
  expect(read.text).toContain('"decisions":2')
  for await (const _ of rein.client.tail({ topic: 'events', after: 0, follow: true })) {
    const { events } = await rein.client.events({ cwd: rein.cwd, id: second.checkpoint ?? '' })
    if (events[0]?.pending.length === 0) return
  }
})
