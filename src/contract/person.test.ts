import { expect, test } from 'vitest'
import { onPhone } from '../../test/support/builders.ts'
import { byRein } from './identity.ts'
import { nameActor, nameFor, wayOf } from './person.ts'

const user = { kind: 'user' as const, name: 'user' }

test('a person is named with what they act through', () => {
  expect([user, onPhone, { ...onPhone, name: 'ada' }, byRein].map(nameActor)).toEqual([
    'the user',
    'the user (phone)',
    'ada (phone)',
    'rein',
  ])
  expect(nameActor({ kind: 'channel', name: 'telegram', sender: 'eva' })).toBe('channel telegram (eva)')
})

test('a person is "you" to themselves, and "the user" to agents', () => {
  const names = ['user', 'the user', 'the user (phone)', 'ada', 'the users']
  expect(names.map((name) => nameFor({ isAgent: false }, name))).toEqual([
    'you',
    'you',
    'you (phone)',
    'ada',
    'the users',
  ])
  expect(names.map((name) => nameFor({ isAgent: true }, name))).toEqual(['the user', ...names.slice(1)])
})

test('what was done on a device was not done by a command', () => {
  expect([user, onPhone, byRein].map((actor) => wayOf(actor, 'rein down'))).toEqual([
    'rein down',
    'device phone',
    'rein down',
  ])
})
