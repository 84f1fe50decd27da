import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { now } from '../../../test/support/builders.ts'
import {
  betweenRotationsMs,
  type ContextLimits,
  type ContextSituation,
  decideContext,
  freshPrompt,
  handoverRequest,
  isEmptied,
  lastWaitMs,
  nothingDone,
  warning,
} from './context-steps.ts'

const limits: ContextLimits = { warnAt: 0.6, handoverAt: 0.7, rotateAt: 0.9 }
const warned = { ...nothingDone, hasWarned: true }
const asked = { ...warned, askedAt: now }
const used = (tokens: number) => ({ tokens, window: 100 })

const decide = (given: Partial<ContextSituation>, changed: Partial<ContextLimits> = {}, at = now) =>
  decideContext(
    { use: used(50), done: nothingDone, isIdle: true, writtenAt: null, ...given },
    { ...limits, ...changed },
    at,
  )

describe('a context that fills up', () => {
  test('first nothing, then a warning, once, then the request for a handover, once', () => {
    expect(decide({}).step).toBeNull()
    expect(decide({ use: used(60) }).step).toBe('warn')
    expect(decide({ use: used(69), done: warned }).step).toBeNull()
    expect(decide({ use: used(70), done: warned }).step).toBe('handover')
    expect(decide({ use: used(70), done: asked }).step).toBeNull()
  })

  test('as soon as the handover is written and the turn is over, it goes on in a fresh conversation', () => {
    expect(decide({ use: used(75), done: asked, writtenAt: now + 1, isIdle: false }).step).toBeNull()
    expect(decide({ use: used(75), done: asked, writtenAt: now + 1 }).step).toBe('rotate')
    expect(decide({ use: used(75), done: asked, writtenAt: now - 1 }).step).toBeNull()
  })

  test('at the last threshold it does so without one, but not at once', () => {
    expect(decide({ use: used(90), done: asked })).toEqual({ step: null, waitMs: lastWaitMs })
    expect(decide({ use: used(90), done: asked }, {}, now + lastWaitMs).step).toBe('rotate')
    expect(decide({ use: used(90), done: asked, isIdle: false }, {}, now + lastWaitMs).step).toBeNull()
  })

  test('one that is full again soon after is left in its conversation for a while', () => {
    const again = { use: used(75), done: { ...asked, rotatedAt: now - 1000 }, writtenAt: now + 1 }
    expect(decide(again)).toEqual({ step: 'brake', waitMs: betweenRotationsMs - 1000 })
    expect(decide(again, {}, now - 1000 + betweenRotationsMs).step).toBe('rotate')
  })

  test('each threshold can be off; to rotate, a handover is asked for in any case', () => {
    expect(decide({ use: used(60) }, { warnAt: 0 }).step).toBeNull()
    expect(decide({ use: used(89) }, { warnAt: 0, handoverAt: 0 }).step).toBeNull()
    expect(decide({ use: used(90) }, { warnAt: 0, handoverAt: 0 }).step).toBe('handover')
    expect(decide({ use: used(99), done: asked, writtenAt: now + 1 }, { rotateAt: 0 }).step).toBeNull()
  })

  test('a window that is not known is never full', () => {
    expect(decide({ use: { tokens: 1_000_000, window: null } }).step).toBeNull()
  })
})

test('whatever was set and done: nobody who works is cut off, and nothing is done that is off', () => {
  const part = fc.constantFrom(0, 0.5, 0.8, 1)
  fc.assert(
    fc.property(
      part,
      part,
      part,
      fc.nat({ max: 120 }),
      fc.boolean(),
      fc.boolean(),
      (warnAt, handoverAt, rotateAt, tokens, isIdle, wasAsked) => {
        const { step } = decide(
          { use: used(tokens), isIdle, done: wasAsked ? asked : nothingDone, writtenAt: now },
          { warnAt, handoverAt, rotateAt },
        )
        const mayBe = {
          rotate: isIdle && wasAsked && rotateAt > 0,
          handover: !wasAsked && handoverAt + rotateAt > 0,
          warn: !wasAsked && warnAt > 0,
          brake: false,
        }
        expect(step === null || mayBe[step]).toBe(true)
      },
    ),
  )
})

test('a context that is below all thresholds again is a new one', () => {
  expect(isEmptied(used(59), limits)).toBe(true)
  expect(isEmptied(used(60), limits)).toBe(false)
  expect(isEmptied(used(69), { ...limits, warnAt: 0 })).toBe(true)
})

test('what is said has the numbers, the path, and the handover itself', () => {
  expect(warning({ tokens: 144_000, window: 200_000 })).toContain('72 % full (144000 of 200000 tokens)')
  expect(handoverRequest(used(70), '/p/.rein/handover/worker.md')).toContain('\n/p/.rein/handover/worker.md\n')
  expect(freshPrompt('Next: the tests.', '/t')).toMatch(/Go on from there\.\n\nNext: the tests\.$/)
  expect(freshPrompt(null, '/t.jsonl')).toContain('/t.jsonl')
})
