import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anAgent, now } from '../../../test/support/builders.ts'
import { type Agent, agentStates } from '../../contract/agent.ts'
import { type CadenceMemory, type CadenceSettings, decideWake, type Notice, type Situation } from './wake.ts'

const hour = 3_600_000
const longAgo = now - 24 * hour
const settings: CadenceSettings = {
  isEnabled: true,
  quietMs: 30_000,
  gatherMs: 3000,
  cooldownMs: 15_000,
  graceMs: 30_000,
  maxWaitMs: 120_000,
  pollMs: 0,
}
const rested: CadenceMemory = { lastWakeAt: 0, fruitless: 0, refused: 0, launchedAt: 0, isGivenUp: false }
const fromPerson: Notice = { urgency: 'now', from: 'person', since: now }
const fromAgent: Notice = { urgency: 'soon', from: 'agent', since: now }
const fromRein: Notice = { urgency: 'soon', from: 'rein', since: now }
const wake = { kind: 'wake', why: 'notices' }

interface Given {
  agent?: Partial<Agent>
  memory?: Partial<CadenceMemory>
  notices?: Notice[]
  fullness?: number | null
  settings?: Partial<CadenceSettings>
  at?: number
}

const decide = ({ agent, memory, notices = [fromPerson], fullness = null, settings: changed, at = now }: Given = {}) =>
  decideWake(
    { agent: anAgent({ since: longAgo, ...agent }), memory: { ...rested, ...memory }, notices, fullness },
    { ...settings, ...changed },
    at,
  )

describe('whom', () => {
  test('only an idle agent is woken', () => {
    const states = agentStates.filter((state) => decide({ agent: { state } }).kind !== 'none')
    expect(states).toEqual(['idle'])
  })

  test('one that is to be left alone says why', () => {
    expect(decide({ agent: { state: 'limited' } })).toEqual({ kind: 'none', reason: 'limited' })
    expect(decide({ agent: { state: 'paused', isPaused: true } })).toEqual({ kind: 'none', reason: 'paused' })
    expect(decide({ settings: { isEnabled: false } })).toEqual({ kind: 'none', reason: 'off' })
    expect(decide({ notices: [] })).toEqual({ kind: 'none', reason: 'nothing' })
  })

  test('what only Rein has to say waits until it runs; with something else it does not', () => {
    expect(decide({ notices: [fromRein] })).toEqual({ kind: 'none', reason: 'only_rein' })
    expect(decide({ notices: [fromRein, fromPerson] })).toEqual(wake)
    expect(decide({ notices: [{ ...fromRein, urgency: 'now' }] })).toEqual(wake)
  })

  test('one that was given up is not woken, but may be asked to look around', () => {
    const memory = { isGivenUp: true }
    expect(decide({ memory })).toEqual({ kind: 'none', reason: 'no_evidence' })
    expect(decide({ memory, notices: [] })).toEqual({ kind: 'none', reason: 'nothing' })
    expect(decide({ memory, settings: { pollMs: 300_000 } })).toEqual({ kind: 'wake', why: 'poll' })
  })
})

describe('a person', () => {
  test('wakes one that is idle for a while at once; one that has just stopped, when its transcript is written', () => {
    expect(decide()).toEqual(wake)
    expect(decide({ agent: { since: now } })).toMatchObject({ kind: 'wait', reason: 'settling' })
  })

  test('waits for no gathering, no cooldown and no grace', () => {
    expect(decide({ memory: { lastWakeAt: now, launchedAt: now }, notices: [fromAgent, fromPerson] })).toEqual(wake)
  })

  test('waits for a while after an Esc', () => {
    const agent = { interruptedAt: now - 10_000 }
    expect(decide({ agent })).toEqual({ kind: 'wait', ms: 20_000, reason: 'interrupted' })
    expect(decide({ agent, at: now + 20_000 })).toEqual(wake)
  })

  test('each wake that led to nothing makes the next one wait longer, up to a limit', () => {
    const waits = [0, 1, 2, 3, 4, 5, 50].map((fruitless) => decide({ memory: { lastWakeAt: now, fruitless } }))
    expect(waits.map((wait) => ('ms' in wait ? wait.ms : 0))).toEqual([
      0, 30_000, 60_000, 120_000, 300_000, 600_000, 600_000,
    ])
  })

  test('one that could not be woken is tried again soon, and less and less often', () => {
    const waits = [1, 2, 3, 9].map((refused) => decide({ memory: { lastWakeAt: now, refused } }))
    expect(waits.map((wait) => ('ms' in wait ? wait.ms : 0))).toEqual([3000, 6000, 12_000, 60_000])
    const hasMoved = { since: now - 1000 }
    expect(decide({ agent: hasMoved, memory: { lastWakeAt: now - 2000, refused: 9 } })).toEqual(wake)
  })
})

describe('other agents', () => {
  test('what they say within a moment is gathered into one wake', () => {
    const notices = [fromAgent, { ...fromAgent, since: now + 2000 }]
    expect(decide({ notices, at: now + 2000 })).toEqual({ kind: 'wait', ms: 1000, reason: 'gathering' })
    expect(decide({ notices, at: now + 3000 })).toEqual(wake)
  })

  test('not soon after the last wake, nor just after its start', () => {
    const at = now + 5000
    expect(decide({ memory: { lastWakeAt: now }, notices: [fromAgent], at })).toEqual({
      kind: 'wait',
      ms: 10_000,
      reason: 'cooldown',
    })
    expect(decide({ memory: { launchedAt: now }, notices: [fromAgent], at })).toEqual({
      kind: 'wait',
      ms: 25_000,
      reason: 'starting',
    })
  })

  test('what a channel brings waits for no grace after the start', () => {
    const given = { memory: { launchedAt: now }, at: now + 5000 }
    const fromChannel: Notice = { urgency: 'soon', from: 'channel', since: now }
    expect(decide({ ...given, notices: [fromChannel] })).toEqual(wake)
    expect(decide({ ...given, notices: [fromAgent, fromChannel] })).toEqual(wake)
    expect(decide({ ...given, notices: [fromChannel], at: now + 1000 })).toMatchObject({
      reason: 'gathering',
      ms: 2000,
    })
  })

  test('one whose context is full is given twice the time, but not by a person', () => {
    const memory = { lastWakeAt: now }
    expect(decide({ memory, notices: [fromAgent], fullness: 0.95 })).toMatchObject({ ms: 30_000 })
    expect(decide({ memory, notices: [fromAgent], fullness: 0.94 })).toMatchObject({ ms: 15_000 })
    expect(decide({ memory, notices: [fromPerson], fullness: 1 })).toEqual(wake)
    const patient = { lastWakeAt: now, fruitless: 5 }
    expect(decide({ memory: patient, notices: [fromAgent], fullness: 1 })).toMatchObject({ ms: 600_000 })
  })
})

describe('what is left over from a long turn', () => {
  const leftOver: Notice = { ...fromPerson, isPatient: true }

  test('waits as what others say does, also if a person said it', () => {
    expect(decide({ notices: [leftOver] })).toEqual({ kind: 'wait', ms: 3000, reason: 'gathering' })
    const again = { memory: { lastWakeAt: now }, notices: [leftOver], at: now + 5000 }
    expect(decide(again)).toEqual({ kind: 'wait', ms: 10_000, reason: 'cooldown' })
    expect(decide({ ...again, at: now + 15_000 })).toEqual(wake)
  })

  test('is worth a turn if it was before, and delays nothing that is new', () => {
    const at = now + 60_000
    expect(decide({ notices: [{ ...fromRein, urgency: 'now', isPatient: true }], at })).toEqual(wake)
    expect(decide({ notices: [{ ...fromRein, isPatient: true }], at })).toEqual({ kind: 'none', reason: 'only_rein' })
    expect(decide({ notices: [leftOver, fromPerson] })).toEqual(wake)
  })
})

describe('looking around', () => {
  const asked = { settings: { pollMs: 300_000 } }

  test('is asked for after a long idleness with nothing to say, if wanted', () => {
    expect(decide({ ...asked, notices: [] })).toEqual({ kind: 'wake', why: 'poll' })
    expect(decide({ ...asked, notices: [], agent: { since: now } })).toMatchObject({ ms: 300_000, reason: 'poll' })
    expect(decide({ ...asked, notices: [], memory: { lastWakeAt: now - 1 } })).toMatchObject({ ms: 299_999 })
    expect(decide({ ...asked })).toEqual(wake)
  })
})

describe('always', () => {
  const moment = fc.integer({ min: now - hour, max: now + hour })
  const notice = fc.record({
    urgency: fc.constantFrom('now' as const, 'soon' as const),
    from: fc.constantFrom('person' as const, 'agent' as const, 'rein' as const),
    since: moment,
  })
  const situation: fc.Arbitrary<Situation> = fc.record({
    agent: fc.record({
      state: fc.constantFrom(...agentStates),
      since: moment,
      interruptedAt: fc.option(moment),
      isPaused: fc.boolean(),
    }),
    memory: fc.record({
      lastWakeAt: moment,
      fruitless: fc.nat({ max: 9 }),
      refused: fc.nat({ max: 9 }),
      launchedAt: moment,
      isGivenUp: fc.boolean(),
    }),
    notices: fc.array(notice, { maxLength: 4 }),
    fullness: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  })

  test('nobody is woken who is not idle, or paused', () => {
    fc.assert(
      fc.property(situation, (given) => {
        const isFree = given.agent.state === 'idle' && !given.agent.isPaused
        expect(isFree || decideWake(given, settings, now).kind === 'none').toBe(true)
      }),
    )
  })

  test('whatever the wall clock did: each wait is a bounded one, and after a few of them comes the wake', () => {
    fc.assert(
      fc.property(situation, (given) => {
        let at = now
        let decision = decideWake(given, settings, at)
        for (let waits = 0; decision.kind === 'wait' && waits < 20; waits += 1) {
          expect(decision.ms).toBeGreaterThan(0)
          expect(decision.ms).toBeLessThanOrEqual(600_000)
          at += decision.ms
          decision = decideWake(given, settings, at)
        }
        expect(decision.kind).not.toBe('wait')
      }),
    )
  })

  test('whatever the wall clock did: after a wake that was refused the next one waits', () => {
    fc.assert(
      fc.property(situation, fc.integer({ min: 1, max: 9 }), ({ agent, memory }, refused) => {
        const idle = { ...agent, state: 'idle' as const, isPaused: false }
        const given = { lastWakeAt: now, launchedAt: memory.launchedAt, refused }
        expect(decide({ agent: idle, memory: given }).kind).toBe('wait')
      }),
    )
  })

  test('the longest wait for what others say holds, however gathering, cooldown and grace are set', () => {
    const long = fc.nat({ max: 10 * hour })
    const idle = anAgent({ since: longAgo })
    fc.assert(
      fc.property(long, long, long, moment, moment, (gatherMs, cooldownMs, graceMs, lastWakeAt, launchedAt) => {
        const memory = { ...rested, lastWakeAt, launchedAt }
        const given = { agent: idle, memory, notices: [fromAgent], fullness: null }
        const changed = { ...settings, gatherMs, cooldownMs, graceMs }
        expect(decideWake(given, changed, now + settings.maxWaitMs)).toEqual(wake)
      }),
    )
  })

  test('between two wakes for what others say the cooldown passes', () => {
    fc.assert(
      fc.property(fc.nat({ max: 14_999 }), (passed) => {
        const given = { memory: { lastWakeAt: now }, notices: [{ ...fromAgent, since: longAgo + 24 * hour - 60_000 }] }
        expect(decide({ ...given, at: now + passed }).kind).toBe('wait')
        expect(decide({ ...given, at: now + 15_000 }).kind).toBe('wake')
      }),
    )
  })
})
