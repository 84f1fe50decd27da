import { beforeEach, expect, test } from 'vitest'
import type { AnswerMessage, PageReply } from '../worker/notification.ts'
import { takeAnswer } from './take-answer.ts'

const message: AnswerMessage = {
  kind: 'answer',
  answer: 'allow',
  question: { id: 'toolu_1', kind: 'permission', project: 'shop', handle: 'ada' },
  url: '/#/questions',
  until: 5_000,
}

let replies: PageReply[]
let answered: string[]
let finish: (isAnswered: boolean) => void

const ports = (given: { now?: number; isOpen?: boolean; isGone?: boolean } = {}) => ({
  now: () => given.now ?? 5_000,
  isOpen: () => given.isOpen ?? true,
  answer: ({ question }: AnswerMessage) => {
    if (given.isGone) return null
    answered.push(question.id)
    return new Promise<boolean>((resolve) => (finish = resolve))
  },
  reply: (reply: PageReply) => void replies.push(reply),
})

beforeEach(() => {
  replies = []
  answered = []
})

test.each([true, false])('says at once that it was sent, later what came of it: %s', async (isAnswered) => {
  const taken = takeAnswer(ports(), message)
  expect([answered, replies]).toEqual([['toolu_1'], ['sent']])
  finish(isAnswered)
  expect(await taken).toBe(isAnswered)
  expect(replies).toEqual(['sent', isAnswered ? 'answered' : 'refused'])
})

test.each([
  ['a page that was asleep for too long', { now: 5_001 }, 'was asleep'],
  ['a page without a connection', { isOpen: false }, 'No connection'],
])('%s answers nothing', async (_, given, words) => {
  await expect(takeAnswer(ports(given), message)).rejects.toThrow(words)
  expect([answered, replies]).toEqual([[], ['refused']])
})

test('a question that is not open any more is not answered', async () => {
  expect(await takeAnswer(ports({ isGone: true }), message)).toBe(false)
  expect(replies).toEqual(['refused'])
})
