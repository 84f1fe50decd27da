import { expect, test } from 'vitest'
import { anAgent } from '../../../test/support/builders.ts'
import { resolveAgent } from './resolve-agent.ts'

const agents = [
  anAgent({ id: '1', project: 'shop', handle: 'worker' }),
  anAgent({ id: '2', project: 'blog', handle: 'worker' }),
  anAgent({ id: '3', project: 'blog', handle: 'writer' }),
  anAgent({ id: '4', project: 'docs-3cce40', handle: 'editor' }),
  anAgent({ id: '5', project: 'docs-3cce40', handle: 'twin' }),
  anAgent({ id: '6', project: 'docs-000001', handle: 'twin' }),
]
const resolve = (target: string, project: string | null = null): string => resolveAgent(agents, target, project).id

test.each([
  ['worker', 'shop', '1'],
  ['worker', 'blog', '2'],
  ['writer', 'shop', '3'],
  ['writer', null, '3'],
  ['blog/worker', 'shop', '2'],
  ['shop/worker', null, '1'],
  ['docs/editor', null, '4'],
  ['docs-3cce40/editor', null, '4'],
  ['docs-3cce40/twin', null, '5'],
])('%s seen from %s', (target, project, id) => {
  expect(resolve(target, project)).toBe(id)
})

test('of several none is guessed: all are named', () => {
  expect(() => resolve('worker', 'elsewhere')).toThrow(
    expect.objectContaining({ code: 'ambiguous_handle', hint: expect.stringContaining('shop/worker, blog/worker') }),
  )
  expect(() => resolve('docs/twin')).toThrow(
    expect.objectContaining({ hint: 'Say which: docs-3cce40/twin, docs-000001/twin.' }),
  )
})

test.each(['nobody', 'shop/writer', 'elsewhere/worker', 'shop/', '/worker', ''])('%j is unknown', (target) => {
  expect(() => resolve(target, 'shop')).toThrow(expect.objectContaining({ code: 'unknown_agent' }))
})

test('whoever knows none is told how to start one', () => {
  expect(() => resolveAgent([], 'worker', null)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('rein up') }),
  )
})
