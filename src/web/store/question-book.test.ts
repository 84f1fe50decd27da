import { describe, expect, test } from 'vitest'
import {
  type Asked,
  cardsOf,
  emptyBook,
  keyOf,
  shownDownTo,
  withOpen,
  withRefusal,
  withSending,
  withSettled,
  withTaken,
  withUnknown,
} from './question-book.ts'

const asked = (handle: string, id: string, since: number, given: Partial<Asked> = {}): Asked => ({
  agent: { id: `agent_${handle}`, project: 'shop', handle },
  question: { id, kind: 'permission', tool: 'Bash', input: { command: id }, summary: id },
  since,
  canAlways: false,
  isHeld: false,
  ...given,
})
const ada = asked('ada', 'q1', 10)
const bob = asked('bob', 'q2', 5)

describe('cards', () => {
  test('the oldest comes first, so that a new one moves nothing', () => {
    const before = cardsOf(withOpen(emptyBook, [ada, bob]))
    expect(before.map(({ agent }) => agent.handle)).toEqual(['bob', 'ada'])
    const after = cardsOf(withOpen(emptyBook, [asked('eve', 'q3', 20), ada, bob]))
    expect(shownDownTo(after, keyOf(ada))).toBe(shownDownTo(before, keyOf(ada)))
  })

  test('what stands above, and what is asked, counts as shown; an answer under way does not', () => {
    const book = withOpen(emptyBook, [ada, bob])
    const shown = shownDownTo(cardsOf(book), keyOf(ada))
    expect(shownDownTo(cardsOf(withOpen(book, [ada])), keyOf(ada))).not.toBe(shown)
    const other = { ...ada, question: { ...ada.question, input: { command: 'rm' } } }
    expect(shownDownTo(cardsOf(withOpen(book, [other, bob])), keyOf(ada))).not.toBe(shown)
    expect(shownDownTo(cardsOf(withSending(book, keyOf(ada), 'allow')), keyOf(ada))).toBe(shown)
  })

  test('what became of an answer further up moves what is below it', () => {
    const book = withOpen(emptyBook, [ada, bob])
    const steps = [
      book,
      withSending(book, keyOf(bob), 'allow'),
      withRefusal(book, keyOf(bob), { message: 'No.' }),
      withUnknown(book, keyOf(bob), { message: 'It broke.' }),
    ]
    expect(new Set(steps.map((step) => shownDownTo(cardsOf(step), keyOf(ada)))).size).toBe(steps.length)
  })
})

describe('an answer', () => {
  test('that is refused stays, with its question and why, until it was read', () => {
    const sent = withSending(withOpen(emptyBook, [ada]), keyOf(ada), 'allow')
    const gone = withOpen(sent, [bob])
    expect(cardsOf(gone).map(({ key, isGone }) => [key, isGone])).toEqual([
      [keyOf(bob), false],
      [keyOf(ada), true],
    ])
    const refused = withRefusal(gone, keyOf(ada), { message: 'ada no longer asks that.' })
    const [, card] = cardsOf(withOpen(refused, [bob]))
    expect(card).toMatchObject({ isGone: true, answering: { step: 'refused', message: 'ada no longer asks that.' } })
    expect(cardsOf(withSettled(refused, keyOf(ada)))).toHaveLength(1)
  })

  test('of which nobody knows whether it counted says so, also when its question is gone', () => {
    const sent = withSending(withOpen(emptyBook, [ada]), keyOf(ada), 'allow')
    const unknown = withUnknown(sent, keyOf(ada), { message: 'The connection broke.' })
    const answering = { step: 'unknown', message: 'The connection broke.' }
    expect(cardsOf(unknown)).toMatchObject([{ isGone: false, answering }])
    expect(cardsOf(withOpen(unknown, []))).toMatchObject([{ isGone: true, answering }])
    expect(cardsOf(withSettled(withOpen(unknown, []), keyOf(ada)))).toEqual([])
  })

  test('that is taken is gone at once', () => {
    const sent = withSending(withOpen(emptyBook, [ada, bob]), keyOf(ada), 'allow')
    expect(cardsOf(withTaken(sent, keyOf(ada))).map(({ key }) => key)).toEqual([keyOf(bob)])
    expect(cardsOf(withTaken(withOpen(sent, [bob]), keyOf(ada))).map(({ key }) => key)).toEqual([keyOf(bob)])
  })

  test('nobody has given here leaves nothing behind', () => {
    expect(withOpen(withOpen(emptyBook, [ada]), [])).toEqual(emptyBook)
  })
})
