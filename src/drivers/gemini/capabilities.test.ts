import { expect, test } from 'vitest'
import type { HostKind } from '../../contract/agent.ts'
import type { Capability } from '../contract.ts'
import { capabilities, minVersion, reasons } from './capabilities.ts'

const hosts: HostKind[] = ['stream', 'tmux', 'outside']

test.each(hosts.flatMap((host) => [minVersion, '0.60.0'].map((version) => [version, host] as const)))(
  '%s in %s: a reason for what is not possible, and for nothing else',
  (version, host) => {
    const { proven: _, ...able } = capabilities(version, host)
    const missing = Object.entries(able).flatMap(([name, isAble]) => (isAble ? [] : [name]))
    expect(Object.keys(reasons(version, host)).toSorted()).toEqual(missing.toSorted())
  },
)

test('a version that nobody tried claims what the last one can, and says so', () => {
  const { proven, ...able } = capabilities('9.0.0', 'tmux')
  expect(proven).toBe(false)
  expect(capabilities(minVersion, 'tmux')).toEqual({ ...able, proven: true })
})

test('hooks of an older one are not relied on', () => {
  const hooks: Capability[] = ['beforeTool', 'afterTool', 'onPrompt', 'onStart', 'onStop', 'deny', 'rewrite']
  expect(hooks.filter((name) => capabilities('0.60.9', 'tmux')[name])).toEqual([])
})
