import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allBytesOf, entriesOf } from '../support/bundle-contents.ts'
import { cliNamed, driverOf, envOf } from '../support/clis.ts'
import { startRein, type TestRein } from './harness.ts'
import { messagesOf } from './messages.ts'
import { files, fill, prefixOf, turnsReach, type Walked, walk } from './session-walk.ts'
import { idle } from './terminal.ts'

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
})

test('codex: two turns go on elsewhere, and nobody takes over what it was allowed to do', async () => {
  const [first, second] = ['RUN:rm gone.txt; echo 1 > made.txt ;; SAY:one', 'RUN:mv made.txt other.txt ;; SAY:two']
  const here = await startRein({ cli: cliNamed('codex'), scenario: '' })
  fill(here.cwd)
  const target = { target: 'worker', cwd: here.cwd }
  await here.up(first)
  await turnsReach(here, target, 1)
  await idle(here)
  await here.client.down(target)
  await here.client.exportSession({ ...target, file: bundleOf(here) })
  await here.up(second, { continue: true })
  const was = await here.sim.next((request) => request.isMain && request.newText.includes(second))

  const there = await elsewhere('codex')
  const imported = await take(there, bundleOf(here), true)
  const transcript = driverOf(there.cli).transcript.locate(
    imported.conversation ?? '',
    there.cwd,
    envOf(there.cli, there.home, ''),
  )
  const lines = readFileSync(transcript ?? '', 'utf8')
  expect(lines).toContain(`"cwd":"${there.cwd}"`)
  expect(lines).toContain('"approval_policy":"on-request"')
  expect(entriesOf(bundleOf(here)).get('conversation/transcript.jsonl')?.toString()).toContain('danger-full-access"}')
  expect(lines).not.toContain('danger-full-access"}')
  await there.up(second, { resume: imported.conversation ?? '' })
  const got = await there.sim.next((request) => request.isMain && request.newText.includes(second))
  expectPrefix(messagesOf(got), prefixOf(was, second), 3)
})

/** Made here, so that no file of the project looks as if it held one. */
const secretFor = (place: string): string => ['ghp', `${place.padEnd(12, 'x')}0123456789abcdefABCDEF98`].join('_')
const places = ['prompt', 'file', 'output', 'subagent'] as const

test('claude: without its secrets, onto a clone, with a summary', async () => {
  const here = await startRein({ scenario: '' })
  const target = { target: 'worker', cwd: here.cwd }
  fill(here.cwd)
  const remote = join(here.home, 'shop.git')
  git(here.cwd, 'clone', '-q', '--bare', here.cwd, remote)
  git(here.cwd, 'remote', 'add', 'origin', remote)
  git(here.cwd, 'fetch', '-q', 'origin')
  const [prompt, file, output, subagent] = places.map(secretFor) as [string, string, string, string]
  const sub = {
    description: 'd',
    prompt: `RUN:echo '${subagent}' ;; SAY:sub`,
    subagent_type: 'general-purpose',
    run_in_background: false,
  }
  await here.up(
    `CALL:Write${JSON.stringify({ file_path: join(here.cwd, 'conf.txt'), content: `key = ${file}\nkept\n` })} ;; RUN:echo '${output}' ;; CALL:Agent${JSON.stringify(sub)} ;; SAY:the key ${prompt} is in place`,
  )
  await turnsReach(here, target, 1)
  await idle(here)

  const open = join(here.home, 'open.rein')
  const whole = await here.client.exportSession({ ...target, file: open })
  expect(places.filter((place) => allBytesOf(open).includes(secretFor(place)))).toEqual(places)
  expect(whole.bundle.secrets).not.toEqual([])
  const clean = await here.client.exportSession({ ...target, file: bundleOf(here), redact: true })
  expect(places.filter((place) => allBytesOf(bundleOf(here)).includes(secretFor(place)))).toEqual([])
  expect(clean.bundle.secrets.map(({ entry }) => entry)).toContain('conf.txt')
  expect(clean.bundle.entries.map(({ name }) => name)).toContainEqual(expect.stringContaining('subagents/agent-'))
  expect(JSON.stringify([whole.bundle.secrets, clean])).not.toContain('0123456789abcdefABCDEF98')
  expect(clean.bundle.base).toBe(git(here.cwd, 'rev-parse', 'HEAD').trim())

  const there = await elsewhere('claude')
  const playing = ['session', 'replay', open, '--yes', '--json']
  expect(await there.rein(...playing)).toMatchObject({ code: 5, stdout: expect.stringContaining('is no clone of it') })
  git(there.home, 'clone', '-q', remote, there.cwd)
  const played = await there.rein(...playing)
  expect(JSON.parse(played.stdout)).toMatchObject({ isEqual: true, turns: [{ turn: '1', results: { equal: 3 } }] })
  expect(git(there.cwd, 'status', '--porcelain')).toBe('')
  const input = { cwd: there.cwd, file: bundleOf(here), env: envOf(there.cli, there.home, there.sim.url) }
  const before = files(there.cwd)
  const preview = await there.client.importSession(input)
  expect([preview.isDone, files(there.cwd)]).toEqual([false, before])
  expect(preview.changes.map(({ path }) => path)).toContain('conf.txt')
  const imported = await there.client.importSession({ ...input, yes: true })
  expect(readFileSync(join(there.cwd, 'conf.txt'), 'utf8')).toMatch(/^key = \[redacted:[\w-]+\]\nkept\n$/)
  expect(files(there.cwd)['kept.txt']).toBe(files(here.cwd)['kept.txt'])

  const summary = readFileSync(imported.summary ?? '', 'utf8')
  await there.up(`${summary}\nSAY:I know`)
  const got = await there.sim.next((request) => request.isMain && request.text.includes('begun elsewhere'))
  expect(got.text).toContain('| the key [redacted:')
})

const git = (cwd: string, ...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' })

/** What git ignores is in no snapshot. */
const withoutIgnored = (state: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(state).filter(([name]) => name !== 'secret'))
