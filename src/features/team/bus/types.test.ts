import { expect, test } from 'vitest'
import { EventTypeName } from '../../../contract/team.ts'
import { eventTypes, typeOf } from './types.ts'

test('each type is there once, under a name that can be published', () => {
  const names = eventTypes.map(({ name }) => EventTypeName.parse(name))
  expect(new Set(names).size).toBe(names.length)
  expect(eventTypes.map(({ name }) => typeOf(name))).toEqual(eventTypes)
})

test('what few want to know presses nobody', () => {
  const ambient = eventTypes.filter(({ isAmbient }) => isAmbient)
  expect(ambient.map(({ name }) => name).toSorted()).toEqual([
    'agent-down',
    'agent-up',
    'chat-mention',
    'chat-message',
    'decision-logged',
    'heartbeat',
  ])
  expect(ambient.filter(({ priority }) => priority === 'critical' || priority === 'high')).toEqual([])
})

test('a type that Rein does not know passes through', () => {
  expect(typeOf('build-green')).toMatchObject({ name: 'build-green', v: 0, priority: 'normal', isAmbient: false })
})
