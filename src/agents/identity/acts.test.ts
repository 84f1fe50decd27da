import { describe, expect, test } from 'vitest'
import { aCall, onPhone, person } from '../../../test/support/builders.ts'
import { evidence, startSupervised } from '../../../test/support/supervised.ts'
import { LaunchRequest } from '../../contract/agent.ts'
import { emptyReply } from '../../contract/hooks.ts'
import { nameActor } from '../../contract/person.ts'

const asPerson = { actor: person, by: 'person' as const, why: 'rein answer' }

describe('what a person does with an agent', () => {
  test('each record of it says who did it, and on what; what follows by itself is of Rein', async () => {
    const { agent, launch, happen, records } = startSupervised({ state: 'stopped' })
    await launch()
    happen({ kind: 'state', state: 'working', evidence, question: null })
    await agent.pause(true, onPhone)
    await agent.unpause(person)
    await agent.interrupt(onPhone)
    const question = { id: 'q1', kind: 'permission' as const, tool: 'Bash', input: {}, summary: '' }
    happen({ kind: 'state', state: 'awaiting_permission', evidence, question })
    await expect.poll(() => agent.agent.question).toEqual(question)
    await agent.questions.answer({ kind: 'allow' }, { actor: onPhone, by: 'person', why: 'device phone' })
    await agent.stop(1000, onPhone)
    const acts = records.map(({ type, actor }) => [type, actor.kind === 'user' ? nameActor(actor) : actor.kind])
    expect(acts).toEqual([
      ['agent.launched', 'daemon'],
      ['agent.state', 'daemon'],
      ['agent.paused', 'the user (phone)'],
      ['agent.paused', 'ada'],
      ['agent.interrupted', 'the user (phone)'],
      ['agent.state', 'daemon'],
      ['agent.answered', 'the user (phone)'],
      ['agent.state', 'the user (phone)'],
      ['agent.ending', 'the user (phone)'],
      ['agent.state', 'the user (phone)'],
    ])
    expect(records.find(({ type }) => type === 'agent.interrupted')?.body).toMatchObject({
      evidence: { source: 'command', detail: 'device phone' },
    })
  })

  test('a start says who wants it, also again', async () => {
    const { agent, dir, records } = startSupervised({ state: 'stopped' })
    await agent.launch(LaunchRequest.parse({ cwd: dir }), 'stream', { HOME: dir }, { actor: onPhone })
    await agent.restart({ actor: person }, { HOME: dir })
    expect(records.map(({ type, actor }) => [type, nameActor(actor)])).toEqual([
      ['agent.launched', 'the user (phone)'],
      ['agent.state', 'ada'],
      ['agent.launched', 'ada'],
    ])
  })

  test('of several questions the one is answered that is named; one that is not asked any more is refused', async () => {
    const { agent, launch, happen, said } = startSupervised({ state: 'stopped', version: '2.1.9', driver: 'claude' })
    await launch()
    Object.assign(agent.agent, { version: '2.1.9' })
    const hold = (command: string): void => {
      const decision = { kind: 'ask' as const, reason: 'Sure?' }
      const tools = [{ id: null, name: 'Bash', input: { command } }]
      agent.questions.holdCall(aCall({ event: 'before_tool', tools }), { ...emptyReply, decision })
    }
    hold('one')
    hold('two')
    const question = { id: 'q1', kind: 'permission' as const, tool: 'Bash', input: {}, summary: '' }
    happen({ kind: 'state', state: 'awaiting_permission', evidence, question })
    await expect.poll(() => agent.agent.question).toEqual(question)
    const [, two = question] = agent.agent.held
    await agent.questions.answer({ kind: 'allow' }, { ...asPerson, question: two.id })
    expect([agent.agent.held.length, agent.agent.question, said.at(-1)]).toEqual([
      1,
      question,
      expect.stringContaining('(Bash: two)'),
    ])
    const again = agent.questions.answer({ kind: 'deny', message: null }, { ...asPerson, question: two.id })
    await expect(again).rejects.toEqual(expect.objectContaining({ code: 'nothing_to_answer' }))
    await agent.questions.answer({ kind: 'allow' }, { ...asPerson, question: 'q1' })
    expect(agent.agent).toMatchObject({ question: null, held: [{ input: { command: 'one' } }] })
  })
})
