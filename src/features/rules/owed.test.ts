import { expect, test } from 'vitest'
import { aCall } from '../../../test/support/builders.ts'
import { Owed } from './owed.ts'

const about = (id: string | null, subagent: string | null = null) =>
  aCall({
    event: 'after_tool',
    subagent: subagent === null ? null : { id: subagent, type: 'helper' },
    tools: [{ id, name: 'Bash', input: {} }],
  })
const texts = (owed: Owed, call = about('t1'), room = 9000): string[] => owed.settle(call, room).map(({ text }) => text)

test('what is about a call comes after it, once; at a prompt all of it', () => {
  const owed = new Owed('rules')
  owed.owe(about('t1'), 'one')
  owed.owe(about('t1'), 'one')
  owed.owe(about('t2'), 'two')
  expect([texts(owed, about('t3')), texts(owed), texts(owed)]).toEqual([[], ['one'], []])
  expect(texts(owed, aCall({ event: 'prompt' }))).toEqual(['two'])
})

test('where calls have no ids, it comes after the next one', () => {
  const owed = new Owed('rules')
  owed.owe(about(null), 'one')
  expect(texts(owed, about('t3'))).toEqual(['one'])
})

test('each conversation has its own, and a sub-agent too', () => {
  const owed = new Owed('rules')
  owed.owe(about('t1', 's1'), 'sub')
  expect([texts(owed, about('t1')), texts(owed, about('t1', 's1'))]).toEqual([[], ['sub']])
})

test('what does not fit waits for the next time', () => {
  const owed = new Owed('rules')
  owed.owe(about('t1'), 'x'.repeat(50))
  expect([texts(owed, about('t1'), 40), texts(owed)]).toEqual([[], ['x'.repeat(50)]])
})
