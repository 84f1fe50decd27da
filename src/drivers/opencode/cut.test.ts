import { describe, expect, test } from 'vitest'
import { messageAfter } from './cut.ts'

const user = (id: string) => ({ info: { id, role: 'user' }, parts: [{ id: `prt_${id}` }] })
const reply = (id: string, parentID: string) => ({
  info: { id, role: 'assistant', parentID },
  parts: [{ id: `prt_${id}` }],
})
const talk = [user('u1'), reply('a1', 'u1'), reply('a2', 'u1'), user('u2'), reply('a3', 'u2')]

describe('the first message that is not kept', () => {
  test.each([
    ['prt_a2', 'u2'],
    ['prt_a1:result', 'a2'],
    ['prt_a1:context', 'a2'],
    ['a2:error', 'u2'],
    ['u1', 'a1'],
    ['prt_a3', null],
  ])('after %s it is %s', (after, next) => {
    expect(messageAfter(talk, after)).toBe(next)
  })
})

test('an entry that is not there', () => {
  expect(() => messageAfter(talk, 'prt_x')).toThrow('no entry')
  expect(() => messageAfter(null, 'prt_x')).toThrow('no entry')
})

describe('a prompt that came before the turn was over', () => {
  const queued = [user('u1'), reply('a1', 'u1'), user('u2'), reply('a2', 'u1'), user('u3'), reply('a3', 'u3')]

  test('cannot be left out: refused', () => {
    expect(() => messageAfter(queued, 'prt_a2')).toThrow('Another prompt was waiting')
  })

  test('and was answered later is no reason to refuse', () => {
    expect(messageAfter(queued, 'prt_a3')).toBe(null)
    expect(messageAfter(queued, 'prt_a1')).toBe('u2')
  })
})
