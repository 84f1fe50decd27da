import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { anAgent, now } from '../../../test/support/builders.ts'
import type { Agent } from '../../contract/agent.ts'
import { Unanswered, type UnansweredPorts } from './unanswered.ts'
import { askText } from './wording.ts'

beforeEach(() => {
  vi.useFakeTimers({ now })
  return () => vi.useRealTimers()
})

const why = askText({ kind: 'failing', calls: ['npm test'], count: 5, result: 'failed' })
const question = { id: 'q1', kind: 'permission' as const, tool: 'Bash', input: {}, summary: 'Bash: npm test', why }

const start = (given: Partial<UnansweredPorts> = {}) => {
  const answers: unknown[][] = []
  let agent = anAgent()
  const unanswered = new Unanswered({
    waitMs: 600_000,
    now: () => Date.now(),
    agent: () => agent,
    asksNobody: () => true,
    answer: async (...answer) => void answers.push(answer),
    onTrouble: () => undefined,
    ...given,
  })
  const become = (next: Partial<Agent>): void => {
    agent = anAgent({ since: Date.now(), ...next })
    unanswered.onChange(agent)
  }
  onTestFinished(() => become({}))
  return { answers, unanswered, become, pass: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000) }
}

test('what is asked about a headless agent that otherwise asks nobody is answered with no, and says so', async () => {
  const { answers, become, pass } = start()
  become({ state: 'awaiting_permission', question })
  await pass(599)
  expect(answers).toEqual([])
  await pass(1)
  const said = 'Nobody answered within 600 s (loops.ask_wait_s).'
  const denied = { kind: 'deny', message: expect.stringContaining(said) as string, isToBeTold: true }
  expect(answers).toEqual([['agt_1', denied, said]])
})

test('the time is that since it was asked, also for the next daemon', async () => {
  const { answers, unanswered, pass } = start({ agent: () => anAgent({ question }) })
  unanswered.onRead(anAgent({ state: 'awaiting_permission', since: now - 599_000, question }))
  await pass(1)
  expect(answers).toHaveLength(1)
})

test.each<[string, Partial<Agent>, Partial<UnansweredPorts>]>([
  ['in a terminal', { host: 'tmux', question }, {}],
  ['of an agent that asks people anyway', { question }, { asksNobody: () => false }],
  ['of another kind', { question: { ...question, why: 'Rein: a rule wants that.' } }, {}],
  ['that may wait for ever', { question }, { waitMs: 0 }],
])('a question %s waits for a person', async (_, agent, given) => {
  const { answers, become, pass } = start(given)
  become({ state: 'awaiting_permission', ...agent })
  await pass(24 * 3600)
  expect(answers).toEqual([])
})

test('one that a person has answered meanwhile is not answered again', async () => {
  const { answers, become, pass } = start()
  become({ state: 'awaiting_permission', question })
  await pass(300)
  become({ state: 'working' })
  await pass(600)
  become({ state: 'awaiting_permission', question: { ...question, id: 'q2' } })
  await pass(599)
  expect(answers).toEqual([])
})
