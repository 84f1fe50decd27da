import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { anAgent, owner, person } from '../../test/support/builders.ts'
import { agentTokenHeader } from '../contract/headers.ts'
import { type RouteName, routes } from '../contract/routes/all.ts'
import type { Actor } from '../contract/identity.ts'
import type { Card } from '../contract/routes/route.ts'
import type { Scope } from '../contract/scope.ts'
import { scopes } from '../contract/scopes.ts'
import { actorOf, checkDeviceMay, checkDeviceReads, checkMay, checkReach, readClaim, refuseAgents } from './actor.ts'
import { agentToken } from '../agents/identity/tokens.ts'
import type { Origin } from './origin.ts'

const endpoint = { port: 4000, token: 'page-token', secret: 'secret' }
const running = 77
const supervisor = {
  get: (id: string) => (id === 'agt_1' ? anAgent() : null),
  isLaunching: (id: string) => id === 'agt_new',
  isCurrent: (id: string, launch: number | null) => id === 'agt_1' && launch === running,
}
const own = agentToken(endpoint.secret, 'agt_1', running)
const forged = agentToken('another secret', 'agt_1', running)
const refusal = expect.objectContaining({ code: 'forbidden' })
const other = anAgent({ id: 'agt_2', handle: 'other' })

const actor = async (overSocket: boolean, headers: Record<string, string>, origin: Origin): Promise<Actor> => {
  const caller = { overSocket, socket: {} as Socket, header: (name: string) => headers[name] }
  const vouchers = { endpoint, supervisor, origins: { of: async () => origin } }
  return actorOf(caller, readClaim(caller, vouchers), vouchers)
}

const fromPerson: Origin = { kind: 'person' }
const fromOther: Origin = { kind: 'agent', agent: other }

describe('who is calling', () => {
  test('over the socket, without a token, from a process under no agent: the user', async () => {
    expect(await actor(true, {}, fromPerson)).toMatchObject({ kind: 'user' })
  })

  test.each([true, false])("with an agent's token: that agent (over the socket: %s)", async (overSocket) => {
    expect(await actor(overSocket, { [agentTokenHeader]: own }, fromPerson)).toEqual(owner)
    expect(await actor(overSocket, { authorization: `Bearer ${own}` }, fromPerson)).toEqual(owner)
    expect(await actor(overSocket, { [agentTokenHeader]: own }, { kind: 'unknown' })).toEqual(owner)
  })

  test.each([
    ['nothing', true, {}],
    ["another agent's token", true, { [agentTokenHeader]: own }],
    ["the user's token", false, { authorization: `Bearer ${endpoint.token}` }],
    ["another agent's token", false, { authorization: `Bearer ${own}` }],
  ])(
    'whoever runs under an agent is that agent, also with %s (over the socket: %s)',
    async (_, overSocket, headers) => {
      expect(await actor(overSocket, headers, fromOther)).toMatchObject({ kind: 'agent', id: 'agt_2' })
    },
  )

  test('what an agent has left behind that ended does nothing more, whatever it has', async () => {
    const ended: Origin = { kind: 'agent', agent: anAgent({ state: 'stopped' }) }
    await expect(actor(true, {}, ended)).rejects.toThrow(refusal)
    const starting: Origin = { kind: 'agent', agent: anAgent({ id: 'agt_new', state: 'stopped' }) }
    expect(await actor(true, {}, starting)).toMatchObject({ id: 'agt_new' })
    await expect(actor(true, { [agentTokenHeader]: own }, ended)).rejects.toThrow(refusal)
  })

  test('what comes from one of the agents, and nobody knows which, has its token or nothing', async () => {
    const some: Origin = { kind: 'agent', agent: null }
    await expect(actor(true, {}, some)).rejects.toThrow(refusal)
    expect(await actor(true, { [agentTokenHeader]: own }, some)).toEqual(owner)
  })

  test('where it cannot be told, nobody is a person', async () => {
    await expect(actor(true, {}, { kind: 'unknown' })).rejects.toMatchObject({
      code: 'forbidden',
      hint: expect.stringContaining('iproute2'),
    })
  })

  test.each([true, false])('no token helps another user (over the socket: %s)', async (overSocket) => {
    for (const token of [own, endpoint.token])
      await expect(actor(overSocket, { authorization: `Bearer ${token}` }, { kind: 'stranger' })).rejects.toThrow(
        refusal,
      )
  })

  test.each([true, false])('no token helps one that cannot be seen (over the socket: %s)', async (overSocket) => {
    for (const token of [own, endpoint.token])
      await expect(actor(overSocket, { authorization: `Bearer ${token}` }, { kind: 'unseen' })).rejects.toThrow(
        'This comes from a process that the daemon cannot see: of another user, or of another container.',
      )
  })

  test('a token ends with its launch', async () => {
    for (const launch of [running - 1, null]) {
      const token = agentToken(endpoint.secret, 'agt_1', launch)
      await expect(actor(true, { [agentTokenHeader]: token }, fromPerson)).rejects.toThrow(
        'This token of worker has ended with the launch that it was for.',
      )
    }
    const unknown = agentToken(endpoint.secret, 'agt_9', running)
    await expect(actor(true, { [agentTokenHeader]: unknown }, fromPerson)).rejects.toThrow(refusal)
  })

  test.each([true, false])('with a forged one: nobody, and not the user (over the socket: %s)', async (overSocket) => {
    for (const token of [forged, endpoint.token, ''])
      await expect(actor(overSocket, { [agentTokenHeader]: token }, fromPerson)).rejects.toThrow(refusal)
  })

  test('over the port only with a token', async () => {
    expect(await actor(false, { authorization: `Bearer ${endpoint.token}` }, fromPerson)).toMatchObject({
      kind: 'user',
    })
    for (const authorization of ['Bearer wrong', 'Bearer ', '', `Bearer ${forged}`])
      await expect(actor(false, { authorization }, fromPerson)).rejects.toThrow(refusal)
    await expect(actor(false, {}, fromPerson)).rejects.toThrow(refusal)
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

describe('what a device may do', () => {
  const cards = Object.entries<Card>(routes) as [RouteName, Card][]
  const may = (given: readonly Scope[], route: RouteName): boolean => {
    try {
      checkDeviceMay(given, route)
      return true
    } catch {
      return false
    }
  }
  const isClosed = ({ media, isLocal }: Card): boolean => media !== undefined || isLocal === true

  test.each(scopes)('%s opens the routes with that scope and no other', (scope) => {
    for (const [name, card] of cards)
      expect([name, may([scope], name)]).toEqual([name, card.scope === scope && !isClosed(card)])
  })

  test('what it lacks is said, with what to type', () => {
    expect(() => checkDeviceMay(['read'], 'tell')).toThrow(refusal)
    expect(() => checkDeviceMay(['read'], 'tell')).toThrow('it needs the scope tell')
  })

  test('no scope opens a route of hooks, of MCP, of pairing, or with an answer of its own form', () => {
    const closed = cards.filter(([name]) => !may(scopes, name)).map(([name]) => name)
    expect(closed).toEqual(expect.arrayContaining(['guard', 'hook', 'mcp', 'pair', 'pairStart', 'turns']))
  })

  test.each([
    'runAdapter',
    'channelToken',
    'setup',
    'cleanup',
    'doctor',
    'take',
    'settle',
    'retry',
    'ingest',
    'shellSession',
  ] as const)(
    'nor one that would outlast its revocation, takes an environment, or is for programs of this machine: %s',
    (name) => {
      expect(may(scopes, name)).toBe(false)
      expect(() => checkReach(name, false)).toThrow(refusal)
    },
  )

  test('the topics of who can reach this machine need admin', () => {
    for (const topic of ['devices', 'subscriptions', 'adapters', 'channels']) {
      expect(() => checkDeviceReads(['read', 'tell'], ['turns', topic])).toThrow(`the scope admin (the topic ${topic})`)
      expect(() => checkDeviceReads(['read', 'admin'], ['turns', topic])).not.toThrow()
    }
    expect(() => checkDeviceReads(['read'], ['turns', 'chats'])).not.toThrow()
  })

  test('all others can be opened', () => {
    const open = cards.filter(([, card]) => !isClosed(card)).map(([name]) => name)
    expect(open.filter((name) => !may(scopes, name))).toEqual([])
  })
})

test('what is for this machine alone does not pass the port, whoever asks', () => {
  expect(() => checkReach('pairStart', false)).toThrow('This is done over the socket alone')
  expect(() => checkReach('pairStart', true)).not.toThrow()
  expect(() => checkReach('devices', false)).not.toThrow()
})

describe('a page is let in', () => {
  const refuse = (origin: Origin): Promise<void> =>
    refuseAgents({} as Socket, { supervisor, origins: { of: async () => origin } })

  test.each(['person', 'stranger', 'unseen'] as const)('from %s, as tunnels and proxies are', async (kind) => {
    await expect(refuse({ kind })).resolves.toBeUndefined()
  })

  test('but from no process of an agent, and from none that may be one', async () => {
    await expect(refuse({ kind: 'agent', agent: null })).rejects.toThrow('This browser was started by an agent.')
    await expect(refuse({ kind: 'unknown' })).rejects.toThrow('Rein cannot tell which process is calling.')
  })
})
