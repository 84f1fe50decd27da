import { EventEmitter, once } from 'node:events'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { tempDir } from '../../test/support/builders.ts'
import { Later, type Said } from './later.ts'
import type { Env } from './requests.ts'

/** An endpoint whose answer is given when `answer` is called. */
const aDesk = () => {
  const later = new Later()
  let answer: (text: string) => void = () => undefined
  const made = new Promise<string>((resolve) => {
    answer = resolve
  })
  let begin: () => void = () => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const make = async (): Promise<Said> => {
    begin()
    return { text: await made }
  }
  const app = new Hono<Env>().post('/', (c) => later.answer(c, make))
  app.onError((_, c) => c.text('', 404))
  const ask = async (query = '', waitMs?: number): Promise<{ status: number; text: string }> => {
    const headers: Record<string, string> = waitMs === undefined ? {} : { 'x-rein-wait': String(waitMs) }
    const incoming = Object.assign(Readable.from([Buffer.from('{}')]), { headers: {} })
    const response = await app.request(
      `/${query}`,
      { method: 'POST', headers },
      { incoming, outgoing: new EventEmitter() },
    )
    return { status: response.status, text: await response.text() }
  }
  return { ask, answer, begun }
}

test('an answer in time is the answer', async () => {
  const { ask, answer } = aDesk()
  answer('yes')
  expect(await ask('', 60_000)).toEqual({ status: 200, text: 'yes\nrein-end\n' })
})

test('who would not wait is sent on, and gets the answer for its ticket, once', async () => {
  const { ask, answer } = aDesk()
  const { text } = await ask('', 20)
  expect(text).toMatch(/^later [0-9a-f]{32}\nrein-end\n$/)
  const ticket = `?ticket=${text.slice(6, 38)}`
  const asked = ask(ticket)
  answer('yes')
  expect(await asked).toEqual({ status: 200, text: 'yes\nrein-end\n' })
  expect(await ask(ticket)).toMatchObject({ status: 404 })
})

test('who says nothing of waiting gets nothing but the answer', async () => {
  const { ask, answer, begun } = aDesk()
  const asked = ask()
  await begun
  answer('yes')
  expect(await asked).toEqual({ status: 200, text: 'yes\nrein-end\n' })
})

/** An answer that is made as \`make\` says, to callers over a socket. */
const aSocket = async (make: () => Promise<void>) => {
  const later = new Later()
  const events = new EventEmitter()
  let asked = 0
  let lost = 0
  const answer = async (): Promise<Said> => {
    asked += 1
    events.emit('asked')
    await make()
    return {
      text: 'yes',
      lost: () => {
        lost += 1
        events.emit('lost')
      },
    }
  }
  const app = new Hono<Env>().post('/', (c) => later.answer(c, answer))
  const handle = getRequestListener((given, env) => app.fetch(given, env), { overrideGlobalObjects: false })
  const socketPath = join(tempDir(), 'socket')
  const server = createServer((incoming, outgoing) => {
    outgoing.once('close', () => events.emit('closed'))
    void handle(incoming, outgoing)
  })
  onTestFinished(() => void server.close())
  await once(server.listen(socketPath), 'listening')
  const call = (path = '/', waitMs = 60_000) => {
    const headers = { 'x-rein-wait': String(waitMs) }
    const sent = request({ socketPath, method: 'POST', path, headers, agent: false }).on('error', () => undefined)
    sent.end('{}')
    return sent
  }
  const hear = async (path?: string, waitMs?: number): Promise<string> => {
    const [response] = (await once(call(path, waitMs), 'response')) as [Readable]
    return (await response.toArray()).join('')
  }
  return { events, call, hear, counts: () => ({ asked, lost }) }
}

test('an answer that its caller has got is not lost', async () => {
  const { events, hear, counts } = await aSocket(() => Promise.resolve())
  const closed = once(events, 'closed')
  expect(await hear()).toBe('yes\nrein-end\n')
  await closed
  expect(counts()).toEqual({ asked: 1, lost: 0 })
})

test('an answer is lost whose caller leaves while it is made', async () => {
  let leave: () => void = () => undefined
  const { events, call, counts } = await aSocket(async () => {
    const closed = once(events, 'closed')
    leave()
    await closed
  })
  const lost = once(events, 'lost')
  const sent = call()
  leave = () => sent.destroy()
  await lost
  expect(counts()).toEqual({ asked: 1, lost: 1 })
})

test('an answer is lost whose caller has left, which nobody has noticed before it was sent', async () => {
  let leave: () => void = () => undefined
  // Nothing comes between: the server gets to know of it by the answer that it cannot write.
  const { events, call, counts } = await aSocket(async () => leave())
  const lost = once(events, 'lost')
  const sent = call()
  leave = () => sent.destroy()
  await lost
  expect(counts()).toEqual({ asked: 1, lost: 1 })
})

test('an answer is lost whose caller does not wait to be sent on, and is not lost twice', async () => {
  let give: () => void = () => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  const { events, call, hear, counts } = await aSocket(() => given)
  const [asked, closed] = [once(events, 'asked'), once(events, 'closed')]
  const sent = call('/', 20)
  await asked
  sent.destroy()
  await closed
  const lost = once(events, 'lost')
  give()
  await lost
  expect(await hear()).toBe('yes\nrein-end\n')
  expect(counts()).toEqual({ asked: 2, lost: 1 })
})
