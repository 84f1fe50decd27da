import { expect, onTestFinished, test } from 'vitest'
import { anAgent, person } from '../../../test/support/builders.ts'
import { said, startChannels, toAgent, toRoom } from '../../../test/support/channel-harness.ts'
import type { Supervisor } from '../../agents/supervisor.ts'
import type { Answer } from '../../contract/host.ts'
import type { Actor } from '../../contract/identity.ts'
import type { Message, Route } from '../../contract/channel.ts'
import { Questions } from './question-answers.ts'

const question = { id: 'q1', kind: 'permission' as const, tool: 'Bash', input: { command: 'ls' }, summary: 'ls' }
const agents = [
  anAgent({ question }),
  anAgent({ id: 'agt_2', handle: 'second', question }),
  anAgent({ id: 'agt_3', handle: 'quiet' }),
  anAgent({ id: 'agt_4', handle: 'stranger', project: 'other-4d5e6f', question }),
]

/** A person on `phone`, where this route leads. */
const start = async (route: Route) => {
  const { channels } = startChannels({ agents })
  const [told, answered, by]: [string[], string[], Actor[]] = [[], [], []]
  const supervisor = {
    agents,
    agent: (id: string) => ({
      questions: {
        answer: async (_: Answer, { actor }: { actor: Actor }) => {
          answered.push(id)
          by.push(actor)
        },
      },
    }),
  } as unknown as Supervisor
  const questions = new Questions({
    channels,
    supervisor,
    secret: 's',
    send: async ({ text }) => void told.push(text),
    onTrouble: (cause) => expect.unreachable(String(cause)),
  })
  await channels.set('phone', { isHuman: true, senders: ['ada'] }, person)
  await channels.route('phone', route, person)
  questions.start()
  onTestFinished(() => questions.stop())
  return { channels, questions, told, answered, by }
}

const fromAda = (text: string): Message => ({
  ...said(text),
  id: 'msg_1',
  sender: 'ada',
  at: 1,
  claimedAt: null,
  meta: {},
})
const codeIn = (text = ''): string => /#[0-9a-f]{6}/.exec(text)?.[0] ?? ''

test('a channel of an agent gets what it asks, and of no other', async () => {
  const { told } = await start(toAgent())
  expect(told).toEqual([expect.stringMatching(/^worker asks/)])
})

test('a channel on which nobody may answer gets no question to answer', async () => {
  const { channels, questions, told } = await start(toAgent())
  await channels.set('notices', { isHuman: true, senders: [], route: toAgent() }, person)
  questions.tellAll()
  expect(told).toHaveLength(1)
})

test('a channel of a room gets what the agents of its project ask, and its answers count for them', async () => {
  const { questions, told, answered, by } = await start(toRoom())
  expect(told).toEqual([expect.stringMatching(/^worker asks/), expect.stringMatching(/^second asks/)])
  const answer = fromAda(`${codeIn(told[1])} allow`)
  expect(questions.isAnswer(answer)).toBe(true)
  await questions.answer(answer)
  expect([answered, told.at(-1)]).toEqual([['agt_2'], 'second was answered: Bash.'])
  expect(by).toEqual([{ kind: 'channel', name: 'phone', sender: 'ada' }])
})
