import type { Story } from '../../src/contract/routes/story.ts'
import { aDirective, now } from './builders.ts'
import { aTask, call, lead, member, ofTask, Pen, project, result } from './story-records.ts'

const asAgent = (ref: typeof lead) => ({ kind: 'agent' as const, id: ref.id, handle: ref.handle })

/** A day in the life of a team, in which all words that others choose are these. */
export const sampleStory = (words: string): Story => {
  const directive = aDirective({ agent: member, text: words })
  const lease = {
    id: 'lse_1',
    project,
    root: '/home/dev/shop',
    glob: words,
    mode: 'exclusive' as const,
    holder: lead,
    why: words,
    at: now,
    until: now,
  }
  const event = { id: 'evt_1', project, type: 'blocker', v: 1, priority: 'high' as const, delivery: 'each' as const }
  const post = {
    id: 'p',
    room: ofTask.room ?? '',
    author: asAgent(lead),
    at: now,
    mentions: [],
    kind: 'message' as const,
  }
  const calls = [
    call('1', 'Write', { file_path: `/home/dev/shop/${words}`, content: 'x' }),
    result('1', 'ok'),
    call('2', 'Bash', { command: `npm test ${words}` }),
    result('2', 'Exit code 1', true),
    { type: 'text' as const, text: words },
  ]
  return new Pen()
    .write('task.created', { task: aTask })
    .write('task.state', { task: aTask.id, state: 'running', reason: words })
    .join(lead, 'lead')
    .join(member, 'member')
    .state(member, 'working')
    .turn(lead, words, calls)
    .write('directive.accepted', { directive }, { agent: member })
    .turn(member, words, calls)
    .write('directive.acked', { note: words, evidence: { source: 'command' } }, { agent: member, cause: directive.id })
    .write('lease.taken', { lease }, { agent: lead })
    .write('lease.denied', { lease: 'lse_1', path: words, tool: 'Edit' }, { agent: member })
    .write('event.published', {
      event: { ...event, payload: words, from: asAgent(member), to: lead, dedup: null, at: now, due: null },
      recipients: [lead.id],
    })
    .write('chat.posted', { post: { ...post, text: words } })
    .write('decision.logged', { decision: { id: 'dec_1', project, text: words, by: asAgent(lead), at: now } })
    .state(member, 'crashed', words)
    .tell()
}
