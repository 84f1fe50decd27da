import { describe, expect, test } from 'vitest'
import type { LaunchPlan } from '../../contract/host.ts'
import type { Capability } from '../contract.ts'
import { copilot } from './driver.ts'

describe.each(['stream', 'tmux', 'outside'] as const)('what it can do in %s', (host) => {
  test.each(['1.0.102', '1.0.900', '0.9.0'])(
    'in version %s: whatever it cannot is explained, and nothing else',
    (version) => {
      const { proven, ...claims } = copilot.capabilities(version, host)
      const missing = (Object.keys(claims) as (keyof typeof claims)[]).filter((name) => !claims[name])
      expect((Object.keys(copilot.reasons(version, host)) as Capability[]).toSorted()).toEqual(missing.toSorted())
      expect(proven).toBe(version === '1.0.102')
    },
  )
})

const modes = ['agent', 'plan', 'autopilot'].map((name) => ({ id: `https://example.org/session-modes#${name}` }))
const plan = (mode: string): LaunchPlan => ({
  command: 'copilot',
  args: [],
  env: {},
  cwd: '/home/dev',
  conversation: null,
  firstPrompt: null,
  files: [],
  opening: { from: { kind: 'new' }, model: null, mode },
})

test.each([
  ['plan', 'https://example.org/session-modes#plan'],
  ['interactive', 'https://example.org/session-modes#agent'],
])('the mode %s is set by its address', async (mode, modeId) => {
  const sent: { id: string; method: string; params: unknown }[] = []
  const session = copilot.stream(async (line) => {
    const message: (typeof sent)[number] = JSON.parse(line)
    sent.push(message)
    const result = message.method === 'session/new' ? { sessionId: 's1', modes: { availableModes: modes } } : {}
    setImmediate(() => session.receive(JSON.stringify({ id: message.id, result })))
  })
  await session.begin(plan(mode))
  expect(sent.at(-1)).toMatchObject({ method: 'session/set_mode', params: { sessionId: 's1', modeId } })
})
