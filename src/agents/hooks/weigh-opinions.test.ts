import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Opinion } from '../../contract/opinion.ts'
import { byStrength, decided, opinionsIn, strongest } from './weigh-opinions.ts'

const deny: Opinion = { by: 'rule a', kind: 'deny', reason: 'no' }
const ask: Opinion = { by: 'loops', kind: 'ask', reason: 'sure?' }
const rewrite: Opinion = { by: 'memory', kind: 'rewrite', input: { command: 'ls' }, reason: 'safer' }
const warn: Opinion = { by: 'rule b', kind: 'warn', reason: 'hm' }
const approve: Opinion = { by: 'policy', kind: 'approve', reason: '' }
const before = (...opinions: Opinion[]) => decided({ event: 'before_tool' }, opinions).decision
const asked = (...opinions: Opinion[]) => decided({ event: 'permission' }, opinions).verdict

test.each([
  ['nothing', [], null],
  ['a warning stops nothing', [warn], null],
  ['an approval at this point says nothing', [approve], null],
  ['one that rewrites', [warn, rewrite], { kind: 'rewrite', input: { command: 'ls' }, reason: 'safer' }],
  [
    'a rewritten call is asked about as it will run',
    [rewrite, ask],
    { kind: 'ask', reason: 'sure?', input: { command: 'ls' } },
  ],
  ['ask without a rewrite', [ask, warn], { kind: 'ask', reason: 'sure?' }],
  ['deny over all', [rewrite, ask, warn, deny], { kind: 'deny', reason: 'no' }],
  [
    'all who deny are told, and of the rules the first',
    [deny, { ...deny, by: 'urgent', reason: 'read this' }, { ...deny, by: 'rule b', reason: 'nor this' }],
    { kind: 'deny', reason: 'no\n\nread this' },
  ],
])('before a tool: %s', (_, opinions, expected) => {
  expect(before(...opinions)).toEqual(expected)
})

test.each([
  ['nobody', [], undefined],
  ['approved', [approve, warn], { kind: 'allow' }],
  ['a person is asked, whatever a policy approves', [approve, ask], undefined],
  ['denied, whatever a policy approves', [approve, ask, deny], { kind: 'deny', reason: 'no' }],
  [
    'all who deny are told',
    [deny, approve, { ...deny, by: 'policy', reason: 'never' }],
    { kind: 'deny', reason: 'no\n\nnever' },
  ],
])('at a permission: %s', (_, opinions, expected) => {
  expect(asked(...opinions)).toEqual(expected)
})

test('a prompt can only be denied', () => {
  expect(decided({ event: 'prompt' }, [ask, rewrite])).toEqual({ decision: null })
  expect(decided({ event: 'prompt' }, [ask, deny])).toEqual({ decision: { kind: 'deny', reason: 'no' } })
  expect(decided({ event: 'stop' }, [deny])).toEqual({ decision: null })
})

test('whoever gives only a decision or a verdict has that opinion', () => {
  expect(opinionsIn('x', {})).toEqual([])
  expect(opinionsIn('x', { decision: { kind: 'ask', reason: 'r' } })).toEqual([{ by: 'x', kind: 'ask', reason: 'r' }])
  expect(opinionsIn('x', { verdict: { kind: 'allow' } })).toEqual([{ by: 'x', kind: 'approve', reason: '' }])
  expect(opinionsIn('x', { verdict: { kind: 'deny', reason: 'r' } })).toEqual([{ by: 'x', kind: 'deny', reason: 'r' }])
  expect(opinionsIn('x', { opinions: [warn], decision: { kind: 'ask', reason: 'r' } })).toEqual([warn])
})

test('who counts most comes first, and among equals who came first', () => {
  const other = { ...deny, by: 'rule z' }
  expect(byStrength([approve, warn, deny, rewrite, other, ask])).toEqual([deny, other, ask, rewrite, warn, approve])
})

test('of any opinions none is stronger than the strongest, and it is the first of its kind', () => {
  const kinds = ['deny', 'ask', 'rewrite', 'warn', 'context', 'log', 'approve'] as const
  const opinions = fc.array(fc.record({ by: fc.string(), kind: fc.constantFrom(...kinds), reason: fc.string() }))
  fc.assert(
    fc.property(opinions, (given) => {
      const kind = kinds.find((one) => given.some((opinion) => opinion.kind === one))
      expect(strongest(given)).toBe(given.find((opinion) => opinion.kind === kind) ?? null)
    }),
  )
})
