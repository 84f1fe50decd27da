import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anAgent } from '../../../test/support/builders.ts'
import type { Question } from '../../contract/agent.ts'
import type { Policy, PolicyAnswer } from '../../contract/policy.ts'
import { decidePolicy, opinionOf } from './policy.ts'

const answers: readonly PolicyAnswer[] = ['ask', 'approve', 'deny']
const asked = (tool: string, kind: Question['kind'] = 'permission'): Question => ({
  id: 'q',
  kind,
  tool,
  input: {},
  summary: tool,
})
const decide = (otherwise: PolicyAnswer, tools: Policy['tools'], tool: string, kind?: Question['kind']): PolicyAnswer =>
  decidePolicy({ otherwise, tools }, asked(tool, kind))

describe('what a policy says', () => {
  test.each<[string, PolicyAnswer, Policy['tools'], string, PolicyAnswer]>([
    ['no rule', 'ask', {}, 'Bash', 'ask'],
    ['the rest', 'deny', { Read: 'approve' }, 'Bash', 'deny'],
    ['its own name', 'deny', { Bash: 'approve' }, 'Bash', 'approve'],
    ['not a longer name', 'ask', { Bash: 'approve' }, 'BashOutput', 'ask'],
    ['not another case', 'ask', { bash: 'approve' }, 'Bash', 'ask'],
    ['a beginning', 'ask', { 'mcp__github__*': 'approve' }, 'mcp__github__search', 'approve'],
    ['the longer beginning', 'ask', { 'mcp__*': 'deny', 'mcp__github__*': 'approve' }, 'mcp__github__x', 'approve'],
    ['the whole name', 'ask', { 'mcp__*': 'approve', mcp__github__x: 'deny' }, 'mcp__github__x', 'deny'],
    ['a name that an object has by itself', 'ask', {}, 'constructor', 'ask'],
  ])('%s', (_, otherwise, tools, tool, expected) => {
    expect(decide(otherwise, tools, tool)).toBe(expected)
  })

  test.each<[Policy['tools'], PolicyAnswer]>([
    [{ plan: 'approve' }, 'approve'],
    [{ ExitPlanMode: 'approve' }, 'approve'],
    [{ ExitPlanMode: 'approve', plan: 'deny' }, 'deny'],
    [{ ExitPlanMode: 'approve', plan: 'ask' }, 'ask'],
    [{ Bash: 'approve' }, 'ask'],
  ])('a plan goes by its tool and by the word plan: %j', (tools, expected) => {
    expect(decide('ask', tools, 'ExitPlanMode', 'plan')).toBe(expected)
  })

  test('the word plan is for plans alone', () => {
    expect(decide('ask', { plan: 'approve' }, 'Bash')).toBe('ask')
  })
})

const aName = fc.constantFrom('Bash', 'Read', 'mcp__a__b', 'mcp__a__c', 'plan')
const aRule = fc.oneof(aName, fc.constantFrom('mcp__*', 'mcp__a__*', 'B*', '*'))
const aPolicy = fc.record({
  otherwise: fc.constantFrom(...answers),
  tools: fc.dictionary(aRule, fc.constantFrom(...answers)),
})

test('a question is never answered by a policy', () => {
  fc.assert(
    fc.property(aPolicy, aName, (policy, tool) => {
      expect(decidePolicy(policy, asked(tool, 'question'))).toBe('ask')
    }),
  )
})

test('every answer stands in the policy, and a whole name always counts', () => {
  fc.assert(
    fc.property(aPolicy, aName, (policy, tool) => {
      const answer = decidePolicy(policy, asked(tool))
      expect([policy.otherwise, ...Object.values(policy.tools)]).toContain(answer)
      expect(Object.hasOwn(policy.tools, tool) ? answer : policy.tools[tool]).toBe(policy.tools[tool])
    }),
  )
})

test('the order of the rules does not matter', () => {
  fc.assert(
    fc.property(aPolicy, aName, ({ otherwise, tools }, tool) => {
      const turned = Object.fromEntries(Object.entries(tools).toReversed())
      expect(decide(otherwise, turned, tool)).toBe(decide(otherwise, tools, tool))
    }),
  )
})

test('nothing is approved where nothing says approve', () => {
  const careful = fc.constantFrom<PolicyAnswer>('ask', 'deny')
  fc.assert(
    fc.property(careful, fc.dictionary(aRule, careful), aName, (otherwise, tools, tool) => {
      expect(decide(otherwise, tools, tool)).not.toBe('approve')
    }),
  )
})

describe('a verdict', () => {
  const by = (policy: Policy | undefined) =>
    opinionOf(
      { allowed: [], request: { cwd: '/', env: {}, args: [], ...(policy === undefined ? {} : { policy }) } },
      asked('Bash'),
    )

  test('is given with the line behind it', () => {
    expect(by({ otherwise: 'ask', tools: { 'B*': 'approve' } })).toEqual({
      by: 'policy B*=approve',
      kind: 'approve',
      reason: '',
    })
    expect(by({ otherwise: 'deny', tools: {} })).toEqual({
      by: 'policy *=deny',
      kind: 'deny',
      reason: "The user's policy for this agent denies this (Bash).",
    })
    expect(by({ otherwise: 'ask', tools: {} })?.kind).toBe('ask')
  })

  test('is not there without a policy', () => {
    expect(by(undefined)).toBeNull()
    expect(opinionOf(anAgent({ request: null }), asked('Bash'))).toBeNull()
  })

  test('approves nothing that Rein wants a person to be asked about; what it denies stays denied', () => {
    const request = (otherwise: Policy['otherwise']) => ({
      allowed: [],
      request: { cwd: '/', env: {}, args: [], policy: { otherwise, tools: {} } },
    })
    expect(opinionOf(request('approve'), asked('Bash'), true)?.kind).toBe('ask')
    expect(opinionOf(request('deny'), asked('Bash'), true)?.kind).toBe('deny')
  })
})
