import { describe, expect, test } from 'vitest'
import { anAgent } from '../../test/support/builders.ts'
import type { Forebear } from '../base/util/lineage.ts'
import { decideOrigin, decideOrigins } from './origin.ts'

const self = { pid: 900, uid: 1000, lockLimit: Number.POSITIVE_INFINITY }
const ada = anAgent({ id: 'agt_ada', handle: 'ada', process: { pid: 50, startTime: '5' }, launch: 7000 })
const hand = anAgent({ id: 'agt_hand', host: 'outside', process: { pid: 60, startTime: '6' } })
const gone = anAgent({ id: 'agt_gone', state: 'stopped', process: null, launch: 6000 })

const process = (pid: number, given: Partial<Forebear> = {}): Forebear => ({
  pid,
  startTime: String(pid),
  session: 1,
  uid: self.uid,
  environment: [],
  lockLimit: Number.POSITIVE_INFINITY,
  ...given,
})

const origin = (...lineage: Forebear[]) => decideOrigin(lineage, [ada, hand, gone], self)
const from = (agent: typeof ada) => ({ kind: 'agent', agent })

describe('a process', () => {
  test('under no agent is a person', () => {
    expect(origin(process(3), process(2), process(1, { uid: 0 }))).toEqual({ kind: 'person' })
    expect(origin(process(3, { uid: 0 }))).toEqual({ kind: 'person' })
  })

  test('under an agent is that agent, and the nearest counts', () => {
    expect(origin(process(3), process(50, { startTime: '5' }), process(1))).toEqual(from(ada))
    expect(origin(process(3), process(60, { startTime: '6' }), process(50, { startTime: '5' }))).toEqual(from(hand))
  })

  test('under one that only has the pid of an agent of before is a person', () => {
    expect(origin(process(3), process(50, { startTime: '99' }))).toEqual({ kind: 'person' })
  })

  test('of the session of an agent that Rein launched is that agent; a hand-started one shares it with a person', () => {
    expect(origin(process(3, { session: 50 }), process(1))).toEqual(from(ada))
    expect(origin(process(3, { session: 60 }), process(1))).toEqual({ kind: 'person' })
  })

  test('that was started with the environment of an agent is that agent, also after its end', () => {
    expect(origin(process(3), process(2, { environment: ['A=b', 'REIN_AGENT=agt_gone'] }))).toEqual(from(gone))
    expect(origin(process(3, { environment: ['REIN_AGENT=agt_elsewhere'] }))).toEqual({ kind: 'person' })
  })

  test('that has left everything is known by its launch, or is one of the agents', () => {
    expect(origin(process(3, { lockLimit: 7000 }), process(1))).toEqual(from(ada))
    expect(origin(process(3, { lockLimit: 6999 }), process(1))).toEqual({ kind: 'agent', agent: null })
  })

  test('that a daemon under an agent of another one has as its person is one', () => {
    const nested = { ...self, lockLimit: 9000 }
    expect(decideOrigin([process(3, { lockLimit: 9000 })], [ada], nested)).toEqual({ kind: 'person' })
    expect(decideOrigin([process(3, { lockLimit: 7000 })], [ada], nested)).toEqual(from(ada))
  })

  test('that this daemon has started is the person, whatever started the daemon; an agent comes first', () => {
    const under = process(self.pid, { environment: ['REIN_AGENT=agt_ada'] })
    expect(origin(process(3, { lockLimit: 5 }), under, process(50, { startTime: '5' }))).toEqual({ kind: 'person' })
    expect(origin(process(3), process(50, { startTime: '5' }), under)).toEqual(from(ada))
  })

  test('of another user is a stranger, and none of an agent is', () => {
    expect(origin(process(3, { uid: 65_534 }))).toEqual({ kind: 'stranger' })
    expect(origin(process(3, { uid: 65_534 }), process(50, { startTime: '5' }))).toEqual(from(ada))
  })
})

describe('a connection', () => {
  const origins = (...lineages: Forebear[][]) => decideOrigins(lineages, [ada, hand, gone], self)

  test('that no process which is shown here holds is not said to be of another user', () => {
    expect(origins()).toEqual({ kind: 'unseen' })
    expect(origins([], [])).toEqual({ kind: 'unseen' })
  })

  test('that an agent holds among others is the agent’s', () => {
    expect(origins([process(3)], [], [process(50, { startTime: '5' })])).toEqual(from(ada))
    expect(origins([], [process(3)])).toEqual({ kind: 'person' })
  })
})
