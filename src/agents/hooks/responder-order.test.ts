import { expect, test } from 'vitest'
import type { Responder } from '../../contract/hooks.ts'
import { orderResponders } from './responder-order.ts'

const named = (name: string, deadlineMs = 1): Responder => ({ name, events: [], deadlineMs, respond: () => ({}) })

test('responders are ordered by the one list, and those of one name keep their order', () => {
  const given = [named('model'), named('inbox'), named('rules', 1), named('policy'), named('rules', 2)]
  expect(orderResponders(given).map(({ name, deadlineMs }) => `${name} ${deadlineMs}`)).toEqual([
    'rules 1',
    'rules 2',
    'policy 1',
    'inbox 1',
    'model 1',
  ])
})

test('a responder that the list does not name is refused', () => {
  expect(() => orderResponders([named('newcomer')])).toThrow('newcomer is missing in responder-order.ts')
})
