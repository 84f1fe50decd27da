import { describe, expect, test } from 'vitest'
import type { PushMessage } from '../../contract/push.ts'
import { decideFetch } from './decide-fetch.ts'
import { awaitOutcome, decideClick, failureOf, notificationOf, type PageReply, readMessage } from './notification.ts'

const question = { id: 'toolu_1&x', kind: 'permission' as const, project: 'shop', handle: 'ada' }
const message = (given: Partial<PushMessage> = {}): PushMessage => ({
  event: 'asks',
  title: 'ada asks',
  body: 'Bash\nls',
  tag: 'tag',
  url: '/#/questions',
  at: 5,
  question,
  actions: ['allow', 'deny'],
  ...given,
})

describe('a notification', () => {
  test('leads to its question, and offers what the daemon offers', () => {
    const { data, actions } = notificationOf(message())
    expect(data.url).toBe('/#/questions?question=toolu_1%26x')
    expect(actions.map(({ action }) => action)).toEqual(['allow', 'deny'])
    expect(notificationOf(message({ actions: ['deny'] })).actions).toHaveLength(1)
    expect(notificationOf(message({ actions: [] })).actions).toEqual([])
    expect(notificationOf(message({ question: null })).actions).toEqual([])
  })

  test.each(['https://evil.example/', '//evil.example', '/v1/agents', 'javascript:alert(1)'])(
    'never leads to %s',
    (url) => {
      expect(notificationOf(message({ url, question: null })).data.url).toBe('/#/')
    },
  )

  test.each(['', 'no json', 'null', '[]', '{"title":"x"}'])('is shown for %j, too', (text) => {
    expect(notificationOf(readMessage(text))).toMatchObject({ data: { url: '/#/', question: null }, actions: [] })
  })
})

describe('a tap', () => {
  const page = { hasPage: true, now: 1_000 }
  const { data } = notificationOf(message())

  test('on an answer answers through an open page, and only so', () => {
    const until = 7_000
    expect(decideClick('allow', data, page)).toEqual({
      kind: 'answer',
      answer: 'allow',
      question,
      url: data.url,
      until,
    })
    expect(decideClick('allow', data, { ...page, hasPage: false })).toEqual({ kind: 'open', url: data.url })
  })

  test.each(['', 'always', 'constructor'])('on %j opens the question', (action) => {
    expect(decideClick(action, data, page)).toEqual({ kind: 'open', url: data.url })
  })
})

describe('what became of an answer', () => {
  const { data } = notificationOf(message())

  /** Null: the time for the next reply has passed. */
  const outcomeOf = (...replies: (PageReply | null)[]) => {
    let onReply: (reply: PageReply) => void = () => {}
    let onTime: () => void = () => {}
    const outcome = awaitOutcome(
      (listener) => (onReply = listener),
      (_, act) => {
        onTime = act
        return () => {
          if (onTime === act) onTime = () => {}
        }
      },
    )
    for (const reply of replies) {
      if (reply === null) onTime()
      else onReply(reply)
    }
    return outcome
  }

  test('is what the page says, if it says so in time', async () => {
    expect(await outcomeOf('sent', 'answered')).toBe('answered')
    expect(await outcomeOf('refused')).toBe('not_answered')
    expect(await outcomeOf(null, 'sent', 'answered')).toBe('not_answered')
  })

  test('is not known once it was sent', async () => {
    expect(await outcomeOf('sent', 'refused')).toBe('unknown')
    expect(await outcomeOf('sent', null)).toBe('unknown')
  })

  test('is said as it is', () => {
    expect(failureOf(data, 'not_answered').title).toBe('Not answered: ada asks')
    expect(failureOf(data, 'unknown').title).toBe('Not known whether it was answered: ada asks')
  })
})

test.each([
  ['GET', 'navigate', 'https://rein.test/', 'shell'],
  ['GET', 'navigate', 'https://rein.test/?x', 'shell'],
  ['GET', 'navigate', 'https://rein.test/v1/agents', 'pass'],
  ['GET', 'cors', 'https://rein.test/assets/main-1.js', 'asset'],
  ['GET', 'cors', 'https://other.test/assets/main-1.js', 'pass'],
  ['POST', 'cors', 'https://rein.test/assets/x', 'pass'],
  ['GET', 'cors', 'https://rein.test/v1/agents', 'pass'],
])('%s %s %s: %s', (method, mode, url, from) => {
  expect(decideFetch({ method, mode, url }, 'https://rein.test')).toBe(from)
})
