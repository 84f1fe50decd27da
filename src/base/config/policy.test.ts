import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Policy } from '../../contract/policy.ts'
import { parsePolicy } from './policy.ts'

test.each<[string[], Policy]>([
  [['ask'], { otherwise: 'ask', tools: {} }],
  [['approve'], { otherwise: 'approve', tools: {} }],
  [['ask, Bash=deny , plan=approve'], { otherwise: 'ask', tools: { Bash: 'deny', plan: 'approve' } }],
  [['deny,Bash=deny', 'approve', 'Bash=ask'], { otherwise: 'approve', tools: { Bash: 'ask' } }],
  [['mcp__github__*=approve', '*=deny'], { otherwise: 'deny', tools: { 'mcp__github__*': 'approve' } }],
  [['__proto__=deny'], { otherwise: 'ask', tools: JSON.parse('{"__proto__":"deny"}') as Policy['tools'] }],
])('%j', (parts, policy) => {
  expect(parsePolicy(parts)).toEqual(policy)
})

test.each(['', 'yes', 'Bash', 'Bash=', '=ask', 'Bash=allow', 'a b=ask', 'a*b=ask', 'ask,,deny'])(
  '%j is refused',
  (text) => {
    expect(() => parsePolicy([text])).toThrow(/^A policy is ask, approve or deny, or TOOL=ask\|approve\|deny; in "/)
  },
)

test('whatever is written, nothing is approved that does not say so', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 's', 'k', '=', ',', '*', ' ', 'deny', 'ask') })),
      (parts) => {
        const parsed = (() => {
          try {
            return parsePolicy(parts)
          } catch {
            return null
          }
        })()
        expect([parsed?.otherwise, ...Object.values(parsed?.tools ?? {})]).not.toContain('approve')
      },
    ),
  )
})
