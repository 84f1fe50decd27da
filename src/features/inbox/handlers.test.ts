import { expect, test } from 'vitest'
import type { Actor } from '../../contract/identity.ts'
import { authorOf, wayOfAck } from './handlers.ts'

const person: Actor = { kind: 'user', name: 'user' }
const phone: Actor = { ...person, via: { kind: 'device', id: 'dev_1', name: 'phone' } }
const agent: Actor = { kind: 'agent', id: 'agt_1', handle: 'ada' }

test('neither an agent nor a device writes in the name of another', () => {
  expect([person, phone, agent].map((actor) => authorOf(actor, 'agent lead'))).toEqual(['agent lead', 'user', 'ada'])
})

test('a receipt says by which way somebody acknowledged', () => {
  expect([person, phone, agent].map((actor) => wayOfAck(actor, 'rein ack'))).toEqual([
    'rein ack by a person',
    'device phone',
    'rein ack by ada',
  ])
})
