import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Message } from '../../src/contract/channel.ts'
import type { AnyRecord, LogRecord } from '../../src/contract/record.ts'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { FakeTelegram } from '../support/fake-telegram.ts'
import { shownIn, startRein, type TestRein } from './harness.ts'

const [person, stranger, group] = [42, 666, -100]

/** The reflex of an agent that answers whoever writes. */
const answersEverything = String.raw`on <rein-message id="(msg_[0-9a-f-]+)" channel="telegram" do CALL:mcp__rein__send_to_channel{"channel":"telegram","message":"All is “well” 好.","reply_to":"$1"}`
/** An idle agent is woken soon. */
const config = { REIN_NOTIFY_STARTUP_GRACE_S: '0', REIN_NOTIFY_CHECK_S: '1', REIN_NOTIFY_COOLDOWN_S: '0' }
const answer = { chat_id: group, text: 'All is “well” 好.' }

/** An agent's person has a bot, and its adapter runs as a user would run it. */
const startBot = async (rein: TestRein, more = ''): Promise<FakeTelegram> => {
  const api = await FakeTelegram.start()
  writeFileSync(join(rein.cwd, 'token'), api.token)
  writeFileSync(
    join(rein.cwd, 'telegram.toml'),
    `token = { file = "token" }\nusers = [${person}]\napi = "${api.url}"\n${more}`,
  )
  const { code, stdout, stderr } = await rein.rein('adapter', 'run', 'telegram', '--config', 'telegram.toml')
  expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/^telegram runs/), ''])
  return api
}

const routed = async (rein: TestRein, ...flags: string[]): Promise<void> => {
  const { stdout } = await rein.rein('channel', 'route', 'telegram', 'worker', ...flags)
  expect(stdout).toContain('Messages of telegram go to worker.')
}

const received = async (rein: TestRein, text: string): Promise<Message> => {
  const record = await rein.record(
    'messages',
    (one): one is LogRecord<'message.received'> => one.type === 'message.received' && one.body.message.text === text,
  )
  return record.body.message
}

/** The request in which the model learns that its answer to a message is on its way. */
const answered = ({ sim }: TestRein, id: string): Promise<SimRequest> =>
  sim.next(({ isMain, text }) => isMain && (text.split(`</rein-message id="${id}"`)[1] ?? '').includes('is on its way'))

test('the daemon is killed with a message that the model has not seen: it sees it once, with its origin, and the chat gets the answer', async () => {
  const rein = await startRein({ scenario: answersEverything, config })
  const api = await startBot(rein)
  await rein.up('WAIT:busy ;; RUN:echo work ;; SAY:done')
  await rein.sim.reached('busy')
  await routed(rein, '--allow-bypass')
  api.write('How is it going?', { from: person, chat: group })
  const { id } = await received(rein, 'How is it going?')
  await rein.killDaemon()
  api.write('Hello? 你好', { from: person, chat: group })
  await rein.client.hello()
  const second = await received(rein, 'Hello? 你好')
  rein.sim.release('busy')

  await api.until(() => api.sent.length === 2)
  expect(api.sent).toEqual([answer, answer])
  const last = await answered(rein, second.id)
  expect([shownIn(last, id), shownIn(last, second.id)]).toEqual([1, 1])
  expect(last.text).toMatch(
    new RegExp(
      `<rein-message id="${id}" channel="telegram" sender="42" at="[^"]+" claimed="2027-01-15T08:00:00Z" part="1/1" nonce="\\w+">\n\\| How is it going\\?\n</rein-message id="${id}"`,
    ),
  )
  expect((await rein.reached(second.id, 'closed')).state).toBe('seen')
})

test('the daemon is killed with an answer that the adapter has not delivered: it comes to the same chat, once', async () => {
  const rein = await startRein({ scenario: answersEverything, config })
  const api = await startBot(rein)
  api.fail('sendMessage', { code: 429, description: 'Too Many Requests: retry after 3', retryAfter: 3 })
  await rein.up('SAY:ready')
  await routed(rein, '--allow-bypass')
  api.write('How is it going?', { from: person, chat: group })
  const { id } = await received(rein, 'How is it going?')
  await answered(rein, id)
  await rein.record('messages', (one): one is AnyRecord => one.type === 'message.failed')
  await rein.killDaemon()
  expect(api.sent).toEqual([])
  await rein.client.hello()
  await api.until(() => api.sent.length === 1)
  api.write('And now?', { from: person, chat: group })
  await api.until(() => api.sent.length === 2)
  expect(api.sent).toEqual([answer, answer])
  const second = await received(rein, 'And now?')
  const last = await answered(rein, second.id)
  expect([shownIn(last, id), shownIn(last, second.id)]).toEqual([1, 1])
})

test('what an agent asks goes to the chat of its person, whose answer counts, and nobody else’s', async () => {
  const rein = await startRein({ scenario: '' })
  const api = await startBot(rein, 'human = true\n')
  await rein.up('RUN:touch asked && echo approved-by-phone ;; SAY:done', { autoApprove: false })
  await routed(rein)
  await api.until(() => api.sent.length === 1)
  const [question] = api.sent
  expect(question?.chat_id).toBe(person)
  expect(question?.text).toContain('worker asks for permission: Bash\n')
  expect(question?.text).toContain('command: touch asked && echo approved-by-phone\n')
  const [code] = /#[0-9a-f]{6}/.exec(question?.text ?? '') ?? ['']

  api.write(`${code} allow`, { from: stranger })
  api.write(`${code} allow`, { from: stranger, chat: person })
  await api.until(() => api.unconfirmed === 0)
  expect((await rein.client.ps({}))[0]?.question).toMatchObject({ tool: 'Bash' })
  api.write(`${code} Allow`, { from: person })
  const allowed = await rein.sim.next((request) => request.isMain && /^approved-by-phone/m.test(request.text))
  expect(allowed.text).not.toContain(code)
  await api.until(() => api.sent.length === 2)
  expect(api.sent[1]).toEqual({ chat_id: person, text: 'worker was answered: Bash.' })
  expect(await rein.client.inbox({ cwd: rein.cwd })).toEqual([])
})
