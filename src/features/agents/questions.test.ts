import { expect, test } from 'vitest'
import { aRecord, anAgent, now } from '../../../test/support/builders.ts'
import type { AnyRecord } from '../../contract/record.ts'
import { loginQuestion } from '../../contract/login-question.ts'
import { heldSince, questions } from './questions.ts'
import { explainLogin } from './view.ts'

const question = (id: string) => ({ id, kind: 'permission' as const, tool: 'Bash', input: {}, summary: id })
const heldAt = (at: number, ...ids: string[]): AnyRecord => ({
  ...aRecord('agent.held', { held: ids.map(question) }, { at }),
  seq: at,
})

test('everything that is asked is listed, oldest first: open questions and held calls', () => {
  const agents = [
    anAgent({
      id: 'agt_1',
      handle: 'ada',
      question: question('q1'),
      since: now + 5,
      held: [question('h1'), question('h2')],
    }),
    anAgent({ id: 'agt_2', handle: 'eva', question: question('q2'), since: now + 1 }),
    anAgent({ id: 'agt_3', handle: 'quiet' }),
  ]
  const records = [heldAt(now + 2, 'h1'), heldAt(now + 6, 'h1', 'h2')]
  const parts = {
    supervisor: { agents, find: () => null },
    log: { readNewest: () => records },
  } as unknown as Parameters<typeof questions>[0]
  expect(questions(parts).map((one) => [one.agent.handle, one.question.id, one.since - now, one.isHeld])).toEqual([
    ['eva', 'q2', 1, false],
    ['ada', 'h1', 2, true],
    ['ada', 'q1', 5, false],
    ['ada', 'h2', 6, true],
  ])
})

test('a call that was held twice has been held since the second time', () => {
  const records = [heldAt(1, 'h1'), heldAt(2), heldAt(3, 'h2'), heldAt(4, 'h2', 'h1'), heldAt(5, 'h1')]
  expect(heldSince(records, { id: 'h1' })).toBe(4)
  expect(heldSince(records, { id: 'h2' })).toBe(null)
})

test('how to log in is told with commands that are typed as they stand, from any directory', () => {
  const agent = anAgent({ project: 'shop-000001', handle: 'ada' })
  const why = (said: string) => explainLogin(agent, loginQuestion(said)).why
  expect(why('Not logged in')).toBe('Log in (claude auth login), then: rein restart shop-000001/ada')
  expect(why('Invalid API key')).toBe(
    'End it (rein down shop-000001/ada). Then, in a shell with a valid key, or without a key after a login (claude auth login): rein up shop-000001/ada --continue',
  )
})
