import { Readable } from 'node:stream'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { Later } from './later.ts'
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
  const make = (): Promise<string> => {
    begin()
    return made
  }
  const app = new Hono<Env>().post('/', (c) => later.answer(c, make))
  app.onError((_, c) => c.text('', 404))
  const ask = async (query = '', waitMs?: number): Promise<{ status: number; text: string }> => {
    const headers: Record<string, string> = waitMs === undefined ? {} : { 'x-rein-wait': String(waitMs) }
    const incoming = Object.assign(Readable.from([Buffer.from('{}')]), { headers: {} })
    const response = await app.request(`/${query}`, { method: 'POST', headers }, { incoming })
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
