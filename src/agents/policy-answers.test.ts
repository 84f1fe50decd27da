import { expect, test } from 'vitest'
import { aCall, anAgent } from '../../test/builders.ts'
import type { Agent, Question } from '../contract/agent.ts'
import type { Answer } from '../contract/host.ts'
import type { Policy } from '../contract/policy.ts'
import type { RecordBody } from '../contract/record.ts'
import { PolicyAnswers, wordsOf } from './policy-answers.ts'
import { policyResponder } from './policy-responder.ts'

const bash: Question = { id: 'q1', kind: 'permission', tool: 'Bash', input: { command: 'ls' }, summary: 'Bash: ls' }
const agentWith = (policy: Policy, given: Partial<Agent> = {}): Agent =>
  anAgent({ host: 'tmux', request: { cwd: '/', env: {}, args: [], policy }, ...given })
const approving = agentWith({ otherwise: 'approve', tools: {} })
const denying = agentWith({ otherwise: 'deny', tools: {} })

const desk = (answer: (question: Question, answer: Answer) => Promise<void> = async () => undefined) => {
  const given: Answer[] = []
  const notes: RecordBody<'agent.answered'>[] = []
  const troubles: unknown[] = []
  const policy = new PolicyAnswers({
    answer: (question, one) => {
      given.push(one)
      return answer(question, one)
    },
    note: (body) => void notes.push(body),
  })
  return {
    policy,
    given,
    notes,
    troubles,
    takes: (agent: Agent) => policy.takes(agent, { question: bash, call: null }, (cause) => troubles.push(cause)),
  }
}

test('what a person is to decide is not taken', () => {
  const { takes, given } = desk()
  expect(takes(agentWith({ otherwise: 'ask', tools: {} }))).toBe(false)
  expect(given).toEqual([])
})

test('an answer is given once while the protocol repeats the question, and noted when it was given', async () => {
  let settle = (): void => undefined
  const { takes, given, notes } = desk(
    () =>
      new Promise((resolve) => {
        settle = resolve
      }),
  )
  expect([takes(denying), takes(denying)]).toEqual([true, true])
  expect(given).toEqual([{ kind: 'deny', message: "The user's policy for this agent denies this (Bash)." }])
  expect(notes).toEqual([])
  settle()
  await expect.poll(() => notes).toEqual([{ question: bash, answer: 'deny', by: 'policy', why: 'policy *=deny' }])
  takes(approving)
  expect(given.at(-1)).toEqual({ kind: 'allow' })
})

test('an answer that could not be given is not noted, and the question is left to a person', async () => {
  const { takes, notes, troubles } = desk(() => Promise.reject(new Error('gone')))
  expect(takes(approving)).toBe(true)
  await expect.poll(() => troubles).toHaveLength(1)
  expect(notes).toEqual([])
})

test('what the reply to a hook said is noted', () => {
  const { policy, notes, given } = desk()
  policy.gave(approving, { question: bash, call: null })
  expect(notes).toEqual([{ question: bash, answer: 'allow', by: 'policy', why: 'policy *=approve' }])
  expect(given).toEqual([])
})

test.each<[Agent | null, Question | null, object]>([
  [approving, bash, { verdict: { kind: 'allow' } }],
  [denying, bash, { verdict: { kind: 'deny', reason: "The user's policy for this agent denies this (Bash)." } }],
  [agentWith({ otherwise: 'ask', tools: {} }), bash, {}],
  [approving, { ...bash, kind: 'question' }, {}],
  [approving, null, {}],
  [null, bash, {}],
  // Its protocol asks the same, and is answered there.
  [agentWith({ otherwise: 'approve', tools: {} }, { host: 'stream' }), bash, {}],
])('the reply to a hook', (agent, question, reply) => {
  const responder = policyResponder(
    () => agent,
    () => false,
  )
  expect(
    responder.respond(aCall({ event: 'permission', question, subagent: { id: 'a', type: 'helper' } }), 9000),
  ).toEqual(reply)
  expect(responder.events).toEqual(['permission'])
})

test.each<[Answer, string]>([
  [{ kind: 'allow' }, 'allow'],
  [{ kind: 'deny', message: 'No.' }, 'deny'],
  [{ kind: 'text', text: 'Blue' }, 'Blue'],
])('%j in the words of the command', (answer, words) => {
  expect(wordsOf(answer)).toBe(words)
})
