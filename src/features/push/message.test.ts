import { expect, test } from 'vitest'
import { agentRef, anAgent, now } from '../../../test/support/builders.ts'
import type { Question } from '../../contract/agent.ts'
import type { Outgoing } from '../../contract/channel.ts'
import { composePush, type PushNews, shortest } from './message.ts'

const asked: Question = {
  id: 'q1',
  kind: 'permission',
  tool: 'Bash',
  input: { command: 'rm -rf build' },
  summary: 'Bash: rm -rf build',
}

const outgoing = (text: string, more: Partial<Outgoing> = {}): Outgoing => ({
  id: 'out_1',
  channel: 'web-push',
  text,
  from: null,
  at: now,
  replyTo: null,
  ...more,
})

const newsOf = (more: Partial<PushNews> = {}): Outgoing => {
  const { id: agent, handle, project } = agentRef
  const asks: PushNews = { event: 'asks', handle, project, agent, at: now, what: 'w', question: 'q1' }
  return outgoing(JSON.stringify({ ...asks, ...more }))
}

const compose = (out: Outgoing, question: Question | null = asked, showsDetail = false, at = now) =>
  composePush(out, { agent: () => anAgent({ question }), showsDetail, now: at })

test('a question names its agent and nothing else', () => {
  const push = compose(newsOf())
  expect(push).toMatchObject({
    urgency: 'high',
    message: {
      event: 'asks',
      title: 'worker asks you',
      body: 'Open Rein to answer.',
      url: '/#/questions?question=q1',
      question: { id: 'q1', kind: 'permission', project: agentRef.project, handle: 'worker' },
      actions: [],
    },
  })
  expect(JSON.stringify(push)).not.toMatch(/build|Bash/)
})

test('with detail it says what is asked, and can be answered where that is seen whole', () => {
  const message = (question: Question) => compose(newsOf(), question, true)?.message
  expect(message(asked)).toMatchObject({ body: 'Bash\ncommand: rm -rf build', actions: ['allow', 'deny'] })
  expect(message({ ...asked, why: 'a rule' })?.body).toBe('Bash\na rule\ncommand: rm -rf build')
  const long = message({ ...asked, input: { command: `${'x'.repeat(500)} ; rm -rf ~` } })
  expect(long?.body).toMatch(/^Bash\ncommand: x{386,}…$/)
  expect(long?.actions).toEqual([])
  const tall = message({ ...asked, input: { command: 'a\n\n\n\n\nrm -rf ~' } })
  expect(tall?.actions).toEqual([])
  const open = message({ ...asked, kind: 'question', summary: 'Which one?', options: ['a', 'b'] })
  expect(open).toMatchObject({ body: 'Which one?', actions: [] })
})

test('hidden characters are seen, and secrets are not', () => {
  const input = { command: 'ls \u202Efr\u200B ghp_0123456789abcdefghijklmnopqrstuvwxyz' }
  const body = compose(newsOf(), { ...asked, input }, true)?.message.body
  expect(body).toContain('ls \\u{202e}fr\\u{200b}')
  expect(body).not.toContain('ghp_0123456789')
})

test('a question that is answered meanwhile is no news, nor is an old one', () => {
  expect(compose(newsOf(), null)).toBeNull()
  expect(compose(newsOf(), { ...asked, id: 'q2' })).toBeNull()
  expect(compose(newsOf(), asked, false, now + 4 * 3_600_000 - 1_000)?.ttlSeconds).toBe(1)
  expect(compose(newsOf(), asked, false, now + 4 * 3_600_000)).toBeNull()
  expect(composePush(newsOf(), { agent: () => null, showsDetail: true, now })).toBeNull()
})

test.each([
  ['done', 'worker is done', 'normal'],
  ['crashed', 'worker crashed', 'high'],
  ['limited', 'worker has reached its usage limit', 'normal'],
] as const)('%s', (event, title, urgency) => {
  const out = newsOf({ event, question: null, project: 'my shop-1a2b3c', what: 'out of\u200B memory' })
  expect(compose(out)).toMatchObject({
    urgency,
    message: { event, title, body: 'Open Rein to see more.', url: '/#/agent/my%20shop-1a2b3c/worker', actions: [] },
  })
  expect(compose(out, null, true)?.message.body).toBe('out of\\u{200b} memory')
  expect(compose(newsOf({ event, what: '' }), null, true)?.message.body).toBe('Open Rein to see more.')
})

test('the newest about an agent replaces the one before it; what else is said does not', () => {
  const tag = (out: Outgoing) => compose(out)?.message.tag
  expect(tag(newsOf())).toBe(tag(newsOf({ event: 'done' })))
  expect(tag(newsOf({ event: 'done', agent: 'agt_2' }))).not.toBe(tag(newsOf()))
  expect(tag(outgoing('a'))).not.toBe(tag(outgoing('a', { id: 'out_2' })))
  expect(tag(newsOf())).toMatch(/^[\w-]{32}$/)
})

test('what is written on the channel is told, in its own words only with detail', () => {
  const said = outgoing('worker: the door is open', { from: agentRef })
  expect(compose(said)?.message).toMatchObject({
    event: 'says',
    title: 'worker writes',
    body: 'Open Rein to see more.',
    url: `/#/agent/${agentRef.project}/worker`,
  })
  expect(compose(said, null, true)?.message.body).toBe('worker: the door is open')
  expect(compose(outgoing('Event 3 was not acknowledged.'))?.message).toMatchObject({ title: 'Rein', url: '/#/' })
})

test('an agent cannot pass for Rein', () => {
  const forged = { ...newsOf({ handle: 'lead' }), from: agentRef }
  expect(compose(forged)?.message).toMatchObject({ event: 'says', title: 'worker writes', question: null, actions: [] })
})

test('the shortest form still says who asks', () => {
  const message = compose(newsOf(), asked, true)?.message
  expect(message && shortest(message)).toMatchObject({ title: 'worker asks you', body: '', actions: [] })
})
