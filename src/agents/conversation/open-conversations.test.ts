import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anAgent } from '../../../test/support/builders.ts'
import type { AgentState } from '../../contract/agent.ts'
import { OpenConversations } from './open-conversations.ts'

const ada = anAgent({ id: 'agt_ada', handle: 'ada', state: 'idle', conversation: 'c1', cwd: '/work' })
const bob = anAgent({ id: 'agt_bob', handle: 'bob', state: 'stopped', conversation: null, cwd: '/work' })
const here = { cwd: '/work', env: {}, args: [] }

test('a conversation that somebody has open is refused to all others, by whom', () => {
  const open = new OpenConversations(() => [ada, bob])
  const isOpen = expect.objectContaining({
    code: 'refused',
    message: 'shop-1a2b3c/ada has this conversation open (idle).',
    hint: expect.stringContaining('rein down shop-1a2b3c/ada'),
  })
  expect(() => open.claim(bob, here, 'c1')).toThrow(isOpen)
  expect(() => open.claim(ada, here, 'c1')).not.toThrow()
  expect(() => open.claim(bob, here, 'c2')).not.toThrow()
  const codex = { ...bob, driver: 'codex' }
  expect(() => open.claim(codex, here, 'c1')).not.toThrow()
})

test('of two who open it at once the second is refused, until the first has given it up', () => {
  const open = new OpenConversations(() => [bob])
  open.claim(bob, here, 'c3')
  expect(() => open.claim(ada, here, 'c3')).toThrow('shop-1a2b3c/bob has this conversation open')
  open.release(bob)
  expect(() => open.claim(ada, here, 'c3')).not.toThrow()
})

const claimNewest = (state: AgentState, cwd: string) => (): void =>
  new OpenConversations(() => [{ ...ada, state, cwd }]).claim(bob, { ...here, continue: true }, null)

test('the newest of a directory may be the one that an agent has open there', () => {
  expect(claimNewest('idle', '/work')).toThrow('shop-1a2b3c/ada has one of them open (idle)')
})

test.each<[AgentState, string]>([
  ['idle', '/elsewhere'],
  ['stopped', '/work'],
  ['crashed', '/work'],
])('it is not that of an agent that is %s in %s', (state, cwd) => {
  expect(claimNewest(state, cwd)).not.toThrow()
})

test('a directory is the same one under another name', () => {
  const top = mkdtempSync(join(tmpdir(), 'rein-open-'))
  mkdirSync(join(top, 'shop'))
  symlinkSync(join(top, 'shop'), join(top, 'alias'))
  const open = new OpenConversations(() => [{ ...ada, cwd: join(top, 'shop') }])
  const request = { ...here, cwd: join(top, 'alias'), continue: true }
  expect(() => open.claim(bob, request, null)).toThrow('shop-1a2b3c/ada has one of them open (idle)')
})

test('of two that continue the newest at once the second is refused', () => {
  const open = new OpenConversations(() => [])
  open.claim(bob, { ...here, continue: true }, null)
  expect(() => open.claim(ada, { ...here, continue: true }, null)).toThrow('shop-1a2b3c/bob has one of them open')
})

test.each([['--resume', 'c1'], ['--resume=c1'], ['--continue']])(
  'arguments for the CLI open nothing that is open: %s',
  (...args) => {
    const open = new OpenConversations(() => [ada])
    expect(() => open.claim(bob, { ...here, args }, 'c9')).toThrow('shop-1a2b3c/ada has')
    expect(() => open.claim(bob, { ...here, args: ['-c', 'model=c1'] }, 'c9')).not.toThrow()
  },
)
