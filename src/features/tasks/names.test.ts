import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { channelPattern, handlePattern, taskPattern } from '../../contract/handle.ts'
import { branchOf, isMixedUp, leadHandle, memberHandle, roomOf, treeName } from './names.ts'

const aName = fc.stringMatching(taskPattern)

test('names as people read them', () => {
  expect([leadHandle('Parser'), memberHandle('Parser', 2), roomOf('Parser')]).toEqual([
    'parser-lead',
    'parser-2',
    'parser',
  ])
  expect([treeName('Parser', null), branchOf(treeName('Parser', 2))]).toEqual(['Parser', 'rein/Parser-2'])
})

test('whatever a task is called, its handles and its room are names', () => {
  fc.assert(
    fc.property(aName, fc.integer({ min: 1, max: 50 }), (name, n) => {
      expect(leadHandle(name)).toMatch(handlePattern)
      expect(memberHandle(name, n)).toMatch(handlePattern)
      expect(roomOf(name)).toMatch(channelPattern)
    }),
  )
})

test('long names that begin the same stay apart', () => {
  const [one, other] = ['a', 'b'].map((end) => `${'x'.repeat(63)}${end}`) as [string, string]
  expect(roomOf(one)).not.toBe(roomOf(other))
  expect(leadHandle(one)).not.toBe(leadHandle(other))
})

test('a task that is called like an agent of another is mixed up with it', () => {
  expect([isMixedUp('api', 'API-1'), isMixedUp('api-12', 'api'), isMixedUp('api', 'api-lead')]).toEqual([
    true,
    true,
    true,
  ])
  expect([isMixedUp('api', 'api'), isMixedUp('api', 'api-x1'), isMixedUp('api', 'apis')]).toEqual([false, false, false])
})
