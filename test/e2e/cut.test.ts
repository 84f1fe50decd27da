import { createHash } from 'node:crypto'
import { existsSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SimRequest } from '../../src/sim/recorder.ts'
import type { LaunchRequest } from '../../src/contract/agent.ts'
import type { Installed } from '../../src/drivers/contract.ts'
import { type Cli, cliNamed, clis } from '../support/clis.ts'
import { killProcess } from '../support/kill.ts'
import { expectSame, messagesOf } from './messages.ts'
import { minimumClaude } from './harness.ts'
import { lookUntil } from './look.ts'
import { startTalks, type Talks } from './talks.ts'

type Json = Record<string, unknown>

const claude = cliNamed('claude')

const prompts = [
  'RUN:echo one ;; SAY:first',
  'PAR:RUN:echo a && RUN:echo b && RUN:echo c ;; SAY:second',
  'THINK:hm ;; RUN:echo three ;; SAY:third',
  'SAY:fourth',
]

const firstWith = ({ sim }: Talks, prompt: string, from = 0): Promise<SimRequest> =>
  sim.next((request) => request.isMain && request.index >= from && request.newText.includes(prompt))

const hashOf = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

/** Every byte of its file; or all that is there of it, where one database holds all conversations. */
const stateOf = (talks: Talks, conversation: string): string =>
  talks.driver.transcript.format.kind === 'rows'
    ? hashOf(JSON.stringify(talks.read(conversation)))
    : hashOf(readFileSync(talks.transcriptOf(conversation)))

/** A conversation of these prompts, and the first request for each of them. */
const hold = async (talks: Talks, said: readonly string[], request: Partial<LaunchRequest> = {}) => {
  const talk = await talks.open(request)
  for (const prompt of said) await talk.say(prompt)
  await talk.end()
  const requests = await Promise.all(said.map((prompt) => firstWith(talks, prompt)))
  const requestOf = (prompt: string): SimRequest => requests[said.indexOf(prompt)] as SimRequest
  return { conversation: talk.conversation, requestOf }
}

/** What the model gets when a conversation is taken up with a prompt. */
const goOn = async (talks: Talks, resume: string, prompt: string, request: Partial<LaunchRequest> = {}) => {
  const from = talks.sim.requests.length
  const talk = await talks.open({ ...request, resume })
  await talk.say(prompt)
  await talk.end()
  return firstWith(talks, prompt, from)
}

interface Subject {
  name: string
  cli: Cli
  installed?: Installed
  /** Each cut takes a start or two, and some take seconds for one. */
  isSlow: boolean
}

const subjects: Subject[] = [
  ...clis.map((cli) => ({ name: cli.name, cli, isSlow: ['gemini', 'opencode'].includes(cli.name) })),
  { name: 'claude 2.1.9', cli: claude, installed: { path: minimumClaude, version: '2.1.9' }, isSlow: true },
]

test.each(subjects)(
  '$name: cut after any turn, a conversation goes on as it was',
  async ({ cli, installed, isSlow }) => {
    const talks = await startTalks(cli, installed)
    const { conversation, requestOf } = await hold(talks, prompts)
    const before = stateOf(talks, conversation)
    const { turns } = talks.read(conversation)
    expect(turns.map(({ prompt }) => prompt)).toEqual(prompts)
    for (const count of isSlow ? [2] : [1, 2, 3]) {
      const made = await talks.cut(conversation, turns[count - 1]?.leaf ?? '')
      expect(made.damaged).toEqual([])
      expect(talks.read(made.conversation).turns.map(({ prompt }) => prompt)).toEqual(prompts.slice(0, count))
      const next = prompts[count] ?? ''
      expectSame(await goOn(talks, made.conversation, next), requestOf(next), next)
    }
    expect(stateOf(talks, conversation)).toBe(before)
    for (const prompt of isSlow ? [] : ['SAY:fifth']) {
      const whole = await goOn(talks, conversation, prompt)
      for (const said of prompts) expect(whole.text).toContain(said)
    }
  },
)

test('claude: the whole request is the same, apart from marks for the cache', async () => {
  const talks = await startTalks(claude)
  // At each start it tells its model the state of git, and takes up the model without what was added to its name.
  const request = { model: 'claude-opus-4-8', args: ['--settings', '{"includeGitInstructions":false}'] }
  const [first = '', second = ''] = prompts
  const { conversation, requestOf } = await hold(talks, [first, second], request)
  const made = await talks.cut(conversation, talks.read(conversation).turns[0]?.leaf ?? '')
  const [got, was] = [await goOn(talks, made.conversation, second, request), requestOf(second)].map(({ body }) => body)
  for (const part of ['model', 'system', 'tools', 'messages']) expect(unmarked(got, part)).toEqual(unmarked(was, part))
})

const unmarked = (body: unknown, part: string): unknown =>
  JSON.parse(JSON.stringify((body as Json)[part], (key, one: unknown) => (key === 'cache_control' ? undefined : one)))

test('claude: before a compaction it has everything, after it the summary', async () => {
  const talks = await startTalks(claude)
  const said = [prompts[1] ?? '', 'SAY:third', '/compact', 'RUN:echo four ;; SAY:fourth', 'SAY:fifth']
  const talk = await talks.open()
  for (const prompt of said) await talk.say(prompt)
  await talk.end()
  const { entries, turns } = talks.read(talk.conversation)
  const before = await talks.cut(talk.conversation, entries.find(({ text }) => text === 'third')?.id ?? '')
  const uncompacted = messagesOf(await goOn(talks, before.conversation, 'SAY:again'))
  const was = messagesOf(await firstWith(talks, 'SAY:third'))
  expect(uncompacted.slice(0, was.length)).toEqual(was)
  const after = await talks.cut(talk.conversation, turns.at(-2)?.leaf ?? '')
  expectSame(await goOn(talks, after.conversation, 'SAY:fifth'), await firstWith(talks, 'SAY:fifth'), 'SAY:fifth')
})

test('claude: killed in the middle of a tool, and with a line that was not written to its end', async () => {
  const talks = await startTalks(claude)
  const talk = await talks.open()
  await talk.say('RUN:echo one ;; SAY:first')
  await talk.begin('PAR:RUN:echo a && RUN:touch started; sleep 600 ;; SAY:never')
  await lookUntil(() => existsSync(join(talks.cwd, 'started')), Boolean)
  killProcess(talk.pid)
  await talk.end()
  const { conversation } = talk
  const { turns } = talks.read(conversation)
  const made = await talks.cut(conversation, turns[1]?.leaf ?? '')
  expectSame(await goOn(talks, made.conversation, 'SAY:next'), await goOn(talks, conversation, 'SAY:next'), 'SAY:next')

  const source = talks.transcriptOf(conversation)
  truncateSync(source, readFileSync(source).length - 40)
  const lines = readFileSync(source, 'utf8').split('\n')
  const whole = await talks.cut(conversation, turns[0]?.leaf ?? '')
  expect(whole.damaged).toEqual([lines.length])
  expect((await goOn(talks, whole.conversation, 'SAY:on')).text).toContain('echo one')
})
