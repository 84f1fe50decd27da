import { expect, test } from 'vitest'
import { emptyChat } from './model.ts'
import { afterSending } from './sending.ts'

const message = { room: 'general', text: 'hello', id: 'post_1' }
const heard = { ...emptyChat(['user'], 'general'), trouble: 'heard meanwhile' }

test('what is heard until a message was sent stays', async () => {
  const posted = { id: 'post_1', room: 'general', n: 1, mentions: [], answers: [], unknown: ['nobody'] }
  const change = await afterSending(message, Promise.resolve(posted))
  expect(change(heard)).toEqual({ ...heard, notice: 'No agent here is called nobody.' })
})

test('and until it could not be sent', async () => {
  const change = await afterSending(message, Promise.reject(new Error('no daemon')))
  expect(change(heard)).toMatchObject({ trouble: 'heard meanwhile', unsent: message, input: { text: 'hello' } })
})
