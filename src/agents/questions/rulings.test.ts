import { expect, test } from 'vitest'
import { aCall, anAgent } from '../../../test/support/builders.ts'
import type { Agent, Question } from '../../contract/agent.ts'
import { emptyReply, type HookReply, overProtocol } from '../../contract/hooks.ts'
import type { Answer } from '../../contract/host.ts'
import type { Policy } from '../../contract/policy.ts'
import type { RecordBody } from '../../contract/record.ts'
import { type PolicyPorts, policyResponder } from './policy-responder.ts'
import { rulingIn, Rulings, describeAnswer } from './rulings.ts'

const bash: Question = { id: 'q1', kind: 'permission', tool: 'Bash', input: { command: 'ls' }, summary: 'Bash: ls' }
const agentWith = (policy: Policy, given: Partial<Agent> = {}): Agent =>
  anAgent({ host: 'tmux', request: { cwd: '/', env: {}, args: [], policy }, ...given })
const approving = agentWith({ otherwise: 'approve', tools: {} })
const denying = agentWith({ otherwise: 'deny', tools: {} })

const ports = (agent: Agent | null): PolicyPorts => ({
  agent: () => agent,
  asksPerson: () => false,
  asksAlways: () => false,
})

const allowed: HookReply = {
  ...emptyReply,
  verdict: { kind: 'allow' },
  opinions: [{ by: 'policy *=approve', kind: 'approve', reason: '' }],
}
const denied: HookReply = {
  ...emptyReply,
  verdict: { kind: 'deny', reason: 'No.' },
  opinions: [
    { by: 'policy *=approve', kind: 'approve', reason: '' },
    { by: 'rule no-ls', kind: 'deny', reason: 'No.' },
  ],
}

const desk = (reply: HookReply, answer: () => Promise<void> = async () => undefined) => {
  const given: Answer[] = []
  const notes: RecordBody<'agent.answered'>[] = []
  let left = 0
  const rulings = new Rulings({
    decide: async () => reply,
    answer: (_, one) => {
      given.push(one)
      return answer()
    },
    note: (body) => void notes.push(body),
  })
  const asked = { question: bash, call: null }
  const takes = (question: Question = bash): boolean => rulings.takes({ question, call: null }, () => void left++)
  return { rulings, given, notes, asked, takes, left: () => left }
}

test('what a person is to decide is known to be so from then on, until nothing is asked', async () => {
  const { takes, given, left, rulings } = desk(emptyReply)
  expect(takes()).toBe(true)
  await expect.poll(left).toBe(1)
  expect(takes()).toBe(false)
  rulings.forget()
  expect(takes()).toBe(true)
  expect(given).toEqual([])
})

test('what has no yes or no is asked of nobody else', () => {
  expect(desk(allowed).takes({ ...bash, kind: 'question' })).toBe(false)
})

test('an answer is given once while the protocol repeats the question, and noted when it was given', async () => {
  let settle = (): void => undefined
  const { takes, given, notes } = desk(
    denied,
    () =>
      new Promise((resolve) => {
        settle = resolve
      }),
  )
  expect([takes(), takes()]).toEqual([true, true])
  await expect.poll(() => given).toEqual([{ kind: 'deny', message: 'No.', isToBeTold: true }])
  expect(notes).toEqual([])
  settle()
  await expect.poll(() => notes).toEqual([{ question: bash, answer: 'deny', by: 'rule', why: 'rule no-ls' }])
})

test('an answer that could not be given is not noted, and the question is left to a person', async () => {
  const { takes, notes, left } = desk(allowed, () => Promise.reject(new Error('gone')))
  expect(takes()).toBe(true)
  await expect.poll(left).toBe(1)
  expect(notes).toEqual([])
})

test('what the reply to a hook said is noted; what it could not say is given', async () => {
  const { rulings, notes, given, asked } = desk(emptyReply)
  const ruling = rulingIn(allowed)
  if (ruling === null) throw new Error('There is a ruling.')
  rulings.gave(bash, ruling)
  expect(notes).toEqual([{ question: bash, answer: 'allow', by: 'policy', why: 'policy *=approve' }])
  expect(given).toEqual([])
  await rulings.give(asked, ruling, () => undefined)
  expect(given).toEqual([{ kind: 'allow' }])
})

test.each<[Agent | null, Question | null, object]>([
  [approving, bash, { opinions: [{ by: 'policy *=approve', kind: 'approve', reason: '' }] }],
  [
    denying,
    bash,
    {
      opinions: [{ by: 'policy *=deny', kind: 'deny', reason: "The user's policy for this agent denies this (Bash)." }],
    },
  ],
  [agentWith({ otherwise: 'ask', tools: {} }), bash, { opinions: [{ by: 'policy *=ask', kind: 'ask', reason: '' }] }],
  [approving, { ...bash, kind: 'question' }, { opinions: [{ by: 'policy question=ask', kind: 'ask', reason: '' }] }],
  [approving, null, { opinions: [] }],
  [null, bash, { opinions: [] }],
  // Its protocol asks the same, and is answered there.
  [agentWith({ otherwise: 'approve', tools: {} }, { host: 'stream' }), bash, {}],
])('the reply to a hook', (agent, question, reply) => {
  const responder = policyResponder(ports(agent))
  expect(
    responder.respond(aCall({ event: 'permission', question, subagent: { id: 'a', type: 'helper' } }), 9000),
  ).toEqual(reply)
  expect(responder.events).toEqual(['permission'])
})

test.each<[string, Policy | undefined, Partial<PolicyPorts>, string[]]>([
  ['is approved by Rein', undefined, {}, ['approve']],
  ['is approved in place of being asked', { otherwise: 'ask', tools: {} }, {}, ['approve']],
  ['stays denied', { otherwise: 'deny', tools: {} }, {}, ['deny']],
  ['is asked if Rein wants a person to be', { otherwise: 'ask', tools: {} }, { asksPerson: () => true }, ['ask']],
  ['is left to a CLI whose hooks tell of it', undefined, { asksAlways: () => false }, []],
])('what was to run unasked, where its CLI asks so that rules can forbid it, %s', (_, policy, given, kinds) => {
  const request = { cwd: '/', env: {}, args: [], autoApprove: true, ...(policy === undefined ? {} : { policy }) }
  const agent = anAgent({ host: 'stream', request })
  const responder = policyResponder({ ...ports(agent), asksAlways: () => true, ...given })
  const call = aCall({ event: 'permission', native: overProtocol, question: bash })
  expect(responder.respond(call, 9000)).toMatchObject({ opinions: kinds.map((kind) => ({ kind })) })
})

test('what a protocol asks is judged, too', () => {
  const responder = policyResponder(ports(agentWith({ otherwise: 'approve', tools: {} }, { host: 'stream' })))
  const call = aCall({ event: 'permission', native: overProtocol, question: bash })
  expect(responder.respond(call, 9000)).toMatchObject({ opinions: [{ kind: 'approve' }] })
})

test.each<[Answer, string]>([
  [{ kind: 'allow' }, 'allow'],
  [{ kind: 'deny', message: 'No.' }, 'deny'],
  [{ kind: 'text', text: 'Blue' }, 'Blue'],
])('%j in the words of the command', (answer, words) => {
  expect(describeAnswer(answer)).toBe(words)
})
