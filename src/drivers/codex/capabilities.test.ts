import { expect, test } from 'vitest'
import type { Capability } from '../contract.ts'
import { capabilities, minVersion, reasons, wake } from './capabilities.ts'

test.each(['tmux', 'stream', 'outside'] as const)('in %s each thing that it cannot do has its reason', (host) => {
  const can = Object.entries(capabilities(minVersion, host))
  const cannot = can.flatMap(([name, is]) => (is ? [] : [name as Capability]))
  expect(Object.keys(reasons(minVersion, host)).toSorted()).toEqual(cannot.toSorted())
})

test('a version that nobody has tried is not called proven', () => {
  expect(capabilities('0.167.0', 'stream').proven).toBe(false)
})

test('is woken by its own command, in the home that its transcript is in', () => {
  const way = wake()
  const target = {
    program: '/usr/bin/codex',
    conversation: 'c-1',
    transcript: '/home/dev/.codex/sessions/2026/11/16/rollout-2026-11-16T01-48-39-c-1.jsonl',
  }
  expect(way.kind === 'command' ? way.command(target, '-wake') : null).toEqual({
    program: '/usr/bin/codex',
    args: ['queue', '--thread=c-1', '--message=-wake'],
    env: { CODEX_HOME: '/home/dev/.codex' },
  })
})
