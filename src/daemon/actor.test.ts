import { describe, expect, test } from 'vitest'
import { anAgent, owner, person } from '../../test/builders.ts'
import type { Supervisor } from '../agents/supervisor.ts'
import { agentTokenHeader, ancestryHeader, type RouteName, routes } from '../contract/routes.ts'
import { actorOf, checkMay } from './actor.ts'
import { agentToken } from './endpoint.ts'
import type { OutsideAgents } from './outside.ts'

const endpoint = { port: 4000, token: 'page-token', secret: 'secret' }
const supervisor = { get: (id: string) => (id === 'agt_1' ? anAgent() : null) } as Supervisor
const outside = {
  among: (pids: readonly number[]) => (pids.includes(4711) ? anAgent({ host: 'outside' }) : null),
} as OutsideAgents
const own = agentToken(endpoint.secret, 'agt_1')
const forged = agentToken('another secret', 'agt_1')
const refusal = expect.objectContaining({ code: 'forbidden' })

const actor = (overSocket: boolean, headers: Record<string, string> = {}) =>
  actorOf({ overSocket, header: (name) => headers[name] }, { endpoint, supervisor, outside })

describe('who is calling', () => {
  test('over the socket, without a token: the user', () => {
    expect(actor(true)).toMatchObject({ kind: 'user' })
  })

  test.each([true, false])("with an agent's token: that agent (over the socket: %s)", (overSocket) => {
    expect(actor(overSocket, { [agentTokenHeader]: own })).toEqual(owner)
    expect(actor(overSocket, { authorization: `Bearer ${own}` })).toEqual(owner)
  })

  test('whoever runs under an agent that was started by hand acts as that agent, over the socket', () => {
    expect(actor(true, { [ancestryHeader]: '9,4711,2' })).toEqual(owner)
    expect(actor(true, { [ancestryHeader]: '9,47110,x' })).toMatchObject({ kind: 'user' })
    expect(() => actor(false, { [ancestryHeader]: '4711' })).toThrow(refusal)
  })

  test('an agent that is not known here is still an agent, not the user', () => {
    expect(actor(true, { [agentTokenHeader]: agentToken(endpoint.secret, 'agt_9') })).toMatchObject({
      kind: 'agent',
      id: 'agt_9',
    })
  })

  test.each([true, false])('with a forged one: nobody, and not the user (over the socket: %s)', (overSocket) => {
    expect(() => actor(overSocket, { [agentTokenHeader]: forged })).toThrow(refusal)
    expect(() => actor(overSocket, { [agentTokenHeader]: endpoint.token })).toThrow(refusal)
    expect(() => actor(overSocket, { [agentTokenHeader]: '' })).toThrow(refusal)
  })

  test('over the port only with a token', () => {
    expect(actor(false, { authorization: `Bearer ${endpoint.token}` })).toMatchObject({ kind: 'user' })
    for (const authorization of ['Bearer wrong', 'Bearer ', '', `Bearer ${forged}`])
      expect(() => actor(false, { authorization })).toThrow(refusal)
    expect(() => actor(false)).toThrow(refusal)
  })
})

describe('what it may do', () => {
  const may = (who: typeof owner, route: RouteName): boolean => {
    try {
      checkMay(who, route)
      return true
    } catch {
      return false
    }
  }
  const names = Object.keys(routes) as RouteName[]

  test('a person may do everything', () => {
    expect(names.filter((name) => !may(person, name))).toEqual([])
  })

  test.each(['up', 'down', 'answer', 'interrupt', 'cancel', 'stop', 'rebuild'] as const)(
    'an agent may not: %s',
    (name) => {
      expect(() => checkMay(owner, name)).toThrow(refusal)
    },
  )

  test.each(['tell', 'read', 'ack', 'receipt', 'inbox', 'hook', 'ps'] as const)('an agent may: %s', (name) => {
    expect(may(owner, name)).toBe(true)
  })
})
