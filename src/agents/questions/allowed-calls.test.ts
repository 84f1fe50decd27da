import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anAgent } from '../../../test/support/builders.ts'
import type { Question } from '../../contract/agent.ts'
import { allowedCall, isAllowed, whyOnlyOnce } from './allowed-calls.ts'
import { opinionOf } from './policy.ts'

const asked = (input: Record<string, unknown>, more: Partial<Question> = {}): Question => ({
  id: 'q1',
  kind: 'permission',
  tool: 'Bash',
  input,
  summary: 'Bash: make',
  ...more,
})
const whole = { title: 'Claude Code', hooks: { asksWhole: true as const } }

const make = asked({ command: 'make', description: 'Builds it' })

test('exactly the same call is allowed, whatever the model says of it', () => {
  const allowed = [allowedCall(make)]
  expect(isAllowed(allowed, asked({ command: 'make', description: 'Again' }, { id: 'q2' }))).toBe(true)
  for (const other of [
    asked({ command: 'make ' }),
    asked({ command: 'make', run_in_background: true }),
    asked({ command: 'make' }, { tool: 'Write' }),
    asked({ command: 'make' }, { kind: 'plan' }),
  ])
    expect(isAllowed(allowed, other)).toBe(false)
})

test('it is listed in few words', () => {
  expect(allowedCall(asked({ command: 'make' }, { summary: 'x'.repeat(4000) })).summary).toBe('x'.repeat(300))
})

test('no other input is ever allowed by one that is', () => {
  const inputs = fc.dictionary(fc.string({ maxLength: 8 }), fc.oneof(fc.string(), fc.boolean(), fc.integer()), {
    maxKeys: 4,
  })
  fc.assert(
    fc.property(inputs, inputs, fc.constantFrom('Edit', 'Write', 'Fetch'), (one, other, tool) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other)
      expect(isAllowed([allowedCall(asked(one, { tool }))], asked(other, { tool }))).toBe(isSame)
    }),
  )
})

test.each<[string, Partial<Question>, string]>([
  ['a plan', { kind: 'plan' }, 'Only a permission'],
  ['a question', { kind: 'question' }, 'Only a permission'],
  ['what a rule has asked', { why: 'rule deploys' }, 'each time: rule deploys'],
  ['what only a screen shows', { id: 'screen:1' }, 'read from a screen'],
  ['a call that says nothing', { input: {} }, 'does not say what is called'],
  ['a long text', { input: { content: 'x'.repeat(5000) } }, 'too long'],
])('%s is allowed only once', (_, given, reason) => {
  expect(whyOnlyOnce(asked({ command: 'make' }, given), whole)).toContain(reason)
})

test('a CLI that does not tell the whole call has no call allowed for good', () => {
  expect(whyOnlyOnce(make, whole)).toBeNull()
  expect(whyOnlyOnce(make, { title: 'Gemini CLI', hooks: {} })).toContain('Gemini CLI does not tell')
})

test('it counts before a policy that asks, and after one that denies, and after a person whom Rein wants to be asked', () => {
  const allowed = [allowedCall(make)]
  const kindOf = (policy: 'ask' | 'deny' | undefined, isForPerson = false): unknown => {
    const request = { cwd: '/', env: {}, args: [], ...(policy && { policy: { otherwise: policy, tools: {} } }) }
    return opinionOf(anAgent({ allowed, request }), make, isForPerson)?.kind ?? null
  }
  expect([kindOf(undefined), kindOf('ask'), kindOf('deny'), kindOf('ask', true)]).toEqual([
    'approve',
    'approve',
    'deny',
    'ask',
  ])
  // There is no policy that could ask.
  expect(kindOf(undefined, true)).toBeNull()
  expect(opinionOf(anAgent({ allowed: [] }), make)).toBeNull()
})
