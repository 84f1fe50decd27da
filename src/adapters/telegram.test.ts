import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { away, createWorld, type TestWorld } from '../../test/support/adapter-world.ts'
import { FakeTelegram } from '../../test/support/fake-telegram.ts'
import type { Adapter } from './sdk/adapter.ts'
import { ReinError } from '../contract/errors.ts'
import { splitText } from './telegram-api.ts'
import { telegram } from './telegram.ts'

let world: TestWorld
let api: FakeTelegram
let adapter: Adapter | undefined

const config = (given: object = {}) =>
  telegram.config.parse({ token: { env: 'BOT_TOKEN' }, users: [42, 43], api: api.url, ...given })

const start = async (given: object = {}): Promise<Adapter> => {
  adapter = await telegram.start(config(given), world)
  return adapter
}

const stateOf = (): unknown => JSON.parse(readFileSync(join(world.state, 'adapters/telegram-telegram.json'), 'utf8'))
const isConfirmed = (): boolean => api.unconfirmed === 0

beforeEach(async () => {
  api = await FakeTelegram.start()
  world = createWorld({ env: { BOT_TOKEN: api.token } })
})

afterEach(async () => {
  await adapter?.shutdown().catch(() => undefined)
  adapter = undefined
})

describe('what people write', () => {
  test('comes in with who wrote it, where and when', async () => {
    await start({ human: true, chat: 42 })
    const id = api.write('Deploy, please. 🚀', { from: 43, chat: -100 })
    await api.until(isConfirmed)
    expect(world.daemon.channels).toEqual([{ name: 'telegram', isHuman: true, senders: ['42', '43'], isKept: true }])
    expect(world.daemon.received).toEqual([
      {
        channel: 'telegram',
        text: 'Deploy, please. 🚀',
        sender: '43',
        claimedAt: 1_800_000_000_000,
        meta: { chat: -100, message: id, name: 'user43' },
        key: `update ${id}`,
      },
    ])
    expect(stateOf()).toEqual({ offset: id + 1, chats: [-100] })
  })

  test('counts by who wrote it, not by where', async () => {
    await start()
    api.write('from a stranger in a chat of a user', { from: 99, chat: 42 })
    api.write('again', { from: 99, chat: 42 })
    api.update({ update_id: 2000, channel_post: { message_id: 1, date: 1, chat: { id: 42 }, text: 'no author' } })
    api.update({ update_id: 2001, message: { message_id: 1, date: 1, chat: { id: 42 }, text: 'no author' } })
    api.update({
      update_id: 2002,
      message: { message_id: 2, date: 1, chat: { id: 42 }, from: { id: 42 }, sticker: {} },
    })
    await api.until(isConfirmed)
    expect(world.daemon.received).toEqual([])
    expect(api.sent).toEqual([])
    expect(world.lines).toEqual(['User 99 is not among `users`: what they write is dropped.'])
  })

  test('is nobody’s word while there are no users, and the log says whose number to write down', async () => {
    await start({ users: [] })
    api.write('It is me.', { from: 42 })
    await api.until(isConfirmed)
    expect([world.daemon.channels[0]?.senders, world.daemon.received]).toEqual([[], []])
    expect(world.lines).toEqual([expect.stringContaining('User 42 is not among `users`')])
  })

  test('may stand under a picture', async () => {
    await start()
    api.write('', { text: undefined, caption: 'Look at this.', photo: [] })
    await world.daemon.until(() => world.daemon.received.length === 1)
    expect(world.daemon.received[0]?.text).toBe('Look at this.')
  })

  test('is confirmed only when the daemon has it', async () => {
    world.daemon.failures.receive.push(...Array.from({ length: 99 }, away))
    const first = await start()
    const id = api.write('Deploy.')
    await world.logged(/not running/)
    await first.shutdown()
    expect([api.unconfirmed, world.daemon.received.length]).toEqual([1, 0])

    world.daemon.failures.receive.length = 0
    await start()
    await api.until(isConfirmed)
    expect(world.daemon.received.map(({ key }) => key)).toEqual([`update ${id}`])
  })

  test('that no agent gets, or that is refused, is answered with the reason', async () => {
    await start()
    world.daemon.failures.receive.push(new ReinError('text_too_large', 'The text is too long.'))
    api.write('very long')
    await api.until(isConfirmed)
    world.daemon.fate = { state: 'held', reason: 'no_route' }
    api.write('short')
    await api.until(() => api.sent.length === 2)
    expect(api.sent).toEqual([
      { chat_id: 42, text: 'Not taken: The text is too long.' },
      { chat_id: 42, text: 'Kept, but no agent gets it yet: no_route' },
    ])
  })
})

describe('what agents say', () => {
  const settled = async (count = 1): Promise<unknown[]> => {
    await world.daemon.until(() => world.daemon.settled.length === count)
    return world.daemon.settled
  }
  const replyTo = (chat: unknown) => ({ id: 'msg_1', sender: '42', meta: { chat } })

  test('goes to the chat of the message that it answers, also after a restart', async () => {
    const first = await start({ chat: 7 })
    api.write('question', { from: 42, chat: -100 })
    await api.until(isConfirmed)
    await first.shutdown()
    await start({ chat: 7 })
    world.daemon.say('answer', { replyTo: replyTo(-100) })
    world.daemon.say('news')
    world.daemon.say('forged', { replyTo: replyTo(666) })
    await settled(3)
    expect(api.sent).toEqual([
      { chat_id: -100, text: 'answer' },
      { chat_id: 7, text: 'news' },
      { chat_id: 7, text: 'forged' },
    ])
  })

  test('and goes nowhere is given up', async () => {
    await start()
    world.daemon.say('news')
    expect(await settled()).toEqual([
      { id: 'out_news', error: 'It answers no message from Telegram, and `chat` is not set.', retryInMs: null },
    ])
  })

  test('goes on after the part that was sent, and waits as long as Telegram wants', async () => {
    await start({ chat: 7 })
    const parts = ['a', 'b', 'c'].map((letter) => letter.repeat(4000))
    const text = parts.join('\n')
    api.fail('sendMessage', { code: 429, description: 'Too Many Requests: retry after 3', retryAfter: 3 }, 1)
    world.daemon.say(text, { id: 'out_1' })
    const error = 'Telegram refuses sendMessage: Too Many Requests: retry after 3.'
    expect(await settled()).toEqual([{ id: 'out_1', error, retryInMs: 3000 }])
    world.daemon.say(text, { id: 'out_1' })
    expect(await settled(2)).toContainEqual({ id: 'out_1' })
    expect(api.sent.map((one) => one.text)).toEqual(parts)
  })

  test.each([
    [403, { retryInMs: null }],
    [400, { retryInMs: null }],
    [401, {}],
    [500, {}],
  ])('and is answered with %i', async (code, more) => {
    await start({ chat: 7 })
    api.fail('sendMessage', { code, description: 'because' })
    world.daemon.say('news')
    expect(await settled()).toEqual([{ id: 'out_news', error: 'Telegram refuses sendMessage: because.', ...more }])
  })

  test('and cannot leave is tried again, without a word of the token', async () => {
    const ends: (() => void)[] = []
    const { url } = await FakeTelegram.start((end) => ends.push(end))
    await start({ chat: 7, api: url })
    for (const end of ends) end()
    world.daemon.say('news')
    expect(await settled()).toEqual([
      { id: 'out_news', error: expect.stringContaining('Telegram cannot be reached: connect ECONNREFUSED') },
    ])
    expect(JSON.stringify([world.lines, world.daemon.settled])).not.toContain(api.token)
  })
})

describe('the poll', () => {
  test('goes on after a conflict and after a flood', async () => {
    api.fail('getUpdates', { code: 429, description: 'Too Many Requests', retryAfter: 0.001 })
    api.fail('getUpdates', { code: 409, description: 'Conflict', retryAfter: 0.001 })
    await start()
    api.write('hello')
    await api.until(isConfirmed)
    expect(world.daemon.received).toHaveLength(1)
  })

  test('ends the adapter when the token is no longer valid', async () => {
    api.fail('getUpdates', { code: 401, description: 'Unauthorized' })
    await expect((await start()).closed).rejects.toThrow('Telegram refuses getUpdates: Unauthorized.')
  })

  test('ends at once', async () => {
    const ended = await start()
    await api.until(() => api.requests.length === 2)
    await ended.shutdown()
    expect(api.requests.map(({ method }) => method)).toEqual(['getMe', 'getUpdates'])
  })
})

describe('a config', () => {
  test('needs no chat for a single user', () => {
    expect(config({ users: [42], human: true }).chat).toBe(42)
    expect(config().chat).toBe(undefined)
  })

  test.each([
    [{ human: true }, 'chat'],
    [{ users: ['@ada'] }, 'users.0'],
    [{ token: '123456:fake-token' }, 'token'],
    [{ api: 'telegram' }, 'api'],
  ])('with %j is refused', (given, field) => {
    const { error } = telegram.config.safeParse({ token: { env: 'BOT_TOKEN' }, users: [42, 43], ...given })
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([field])
  })
})

describe('the token', () => {
  test('comes from a file beside the config', async () => {
    writeFileSync(join(world.dir, 'token'), `${api.token}\n`)
    await start({ token: { file: 'token' } })
    await api.until(() => api.requests.length === 2)
    expect(api.requests[1]).toMatchObject({ method: 'getUpdates', params: { allowed_updates: ['message'] } })
  })

  test('is wrong: it does not start, so nothing is given up', async () => {
    world.env['BOT_TOKEN'] = 'wrong-token'
    await expect(start()).rejects.toThrow('Telegram refuses getMe: Unauthorized.')
    expect(world.daemon.channels).toEqual([])
  })

  test.each([
    [{ env: 'NOTHING' }, 'token: NOTHING is empty.'],
    [{ file: 'nothing' }, 'token: There is no file'],
  ])('is not there: %j', async (token, message) => {
    await expect(start({ token })).rejects.toThrow(message)
  })
})

describe('a long text', () => {
  test('is split without losing anything but line ends', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 5000 }), { maxLength: 8 }), (lines) => {
        const parts = splitText(lines.join('\n'))
        expect(parts.every((part) => part.length <= 4096 && !/\p{Surrogate}/u.test(part))).toBe(true)
        const solid = (text: string): string => text.replaceAll(/\s/g, '')
        expect(solid(parts.join(''))).toBe(solid(lines.join('\n')))
      }),
    )
  })

  test('is split at the last line end that fits', () => {
    const text = `${'a'.repeat(2000)}\n${'b'.repeat(2095)}\n${'c'.repeat(10)}`
    expect(splitText(text)).toEqual([text.slice(0, 4096), 'c'.repeat(10)])
  })

  test('never within a character', () => {
    const [first = '', second = ''] = splitText(`${'a'.repeat(4095)}🚀b`)
    expect([first.length, second]).toEqual([4095, '🚀b'])
  })
})
