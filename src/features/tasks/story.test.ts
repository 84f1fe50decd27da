import { describe, expect, test } from 'vitest'
import { aDirective, now, onPhone, person } from '../../../test/support/builders.ts'
import { aTask, call, lead, member, ofTask, Pen, project, result } from '../../../test/support/story-records.ts'
import { byRein } from '../../contract/identity.ts'
import type { BusEvent } from '../../contract/team.ts'
import { outcomeText } from '../../contract/story-words.ts'
import { wakeSentence } from '../../contract/wake.ts'

const begun = (): Pen => new Pen().write('task.created', { task: aTask }).join(lead, 'lead').join(member, 'member')
const asAgent = (ref: typeof lead) => ({ kind: 'agent' as const, id: ref.id, handle: ref.handle })
const anEvent = (given: Partial<BusEvent>): BusEvent => ({
  id: 'evt_1',
  project,
  type: 'blocker',
  v: 1,
  priority: 'high',
  payload: 'The schema is missing',
  from: asAgent(member),
  to: lead,
  delivery: 'each',
  dedup: null,
  at: now,
  due: null,
  ...given,
})
const inShort = (pen: Pen): string[] =>
  pen
    .tell()
    .moments.map(({ kind, agent, text, outcome }) =>
      [agent ?? '-', kind, text, outcome && outcomeText(outcome, { isAgent: true })].join(' | '),
    )

describe('the story of a task', () => {
  test('tells its birth, its agents and its end', () => {
    const pen = begun()
      .write('task.state', { task: aTask.id, state: 'running', reason: null })
      .write('task.state', { task: 'tsk_other', state: 'done', reason: null })
      .state(member, 'crashed', 'exit code 137')
      .write('task.state', { task: aTask.id, state: 'done', reason: 'all merged' })
    const story = pen.tell()
    expect(story.state).toBe('done')
    expect(inShort(pen)).toEqual([
      '- | task | ada made the task parser | ',
      'parser-lead | task | joined as lead | ',
      'parser-1 | task | joined as member | ',
      '- | task | ada: the task is running | ',
      'parser-1 | agent | crashed | ',
      '- | task | ada: the task is done | ',
    ])
    const ended = begun().state(member, 'stopped', 'exit code 0: WARNING: no PATH aliases').tell()
    expect(ended.moments.at(-1)).toMatchObject({ text: 'stopped', why: 'exit code 0' })
    expect(story.moments[4]).toMatchObject({ why: 'exit code 137', tone: 'bad', evidence: [expect.any(String)] })
  })

  test('tells a call that is allowed for good, and one about which that is taken back', () => {
    const aCall = (id: string) => ({ id, tool: 'Bash', input: { command: id }, summary: `Bash: ${id}` })
    const allowed = (pen: Pen, ...ids: string[]): Pen =>
      pen.write('agent.allowed', { allowed: ids.map(aCall) }, { agent: member, actor: person })
    const texts = (pen: Pen): string[] =>
      pen.tell().moments.flatMap(({ kind, text }) => (kind === 'agent' ? [text] : []))
    expect(texts(allowed(allowed(allowed(allowed(begun(), 'a'), 'a', 'b'), 'b')))).toEqual([
      'is asked no more about one call, by ada',
      'is asked no more about 2 calls, by ada',
      'is asked again about a call, by ada',
      'is asked again about a call, by ada',
    ])
  })

  test('what is over is the same tomorrow; whoever left is not counted any more', () => {
    const pen = begun()
      .state(member, 'idle')
      .write('task.left', { task: aTask.id, agent: member.id, reason: 'not needed' })
      .write('task.state', { task: aTask.id, state: 'running', reason: null })
    const { agents } = pen.tell()
    expect(agents.find(({ handle }) => handle === member.handle)?.idleMs).toBe(1000)
    expect(pen.tell().to).toBe(pen.at + 1000)
    const endAt = pen.write('task.state', { task: aTask.id, state: 'done', reason: null }).at
    pen.at += 86_400_000
    expect(pen.tell().to).toBe(endAt)
    expect(pen.tell(ofTask, { since: pen.at }).to).toBe(endAt)
  })

  test('of what is over only the outcome and the leaving of agents are still told', () => {
    const directive = aDirective({ agent: member, text: 'Use tabs.' })
    const ids = { conversation: 'c-parser-1', turn: 't' }
    const decision = { id: 'dec_1', project, text: 'Tabs everywhere', by: person, at: now }
    const post = { id: 'p', room: ofTask.room ?? '', author: person, at: now, mentions: [], text: 'Nice.' }
    const question = { id: 'q', kind: 'permission' as const, tool: 'Bash', input: {}, summary: 'rm -rf build' }
    const pen = begun()
      .write('directive.accepted', { directive }, { agent: member })
      .state(member, 'working')
      .write('turn.started', { ...ids, prompt: 'Last one', entry: 't' }, { agent: member })
      .write('task.state', { task: aTask.id, state: 'done', reason: null })
    const endAt = pen.at
    pen
      .write('turn.ended', { ...ids, leaf: 'x', reason: 'interrupted', entries: 0, usage: null }, { agent: member })
      .state(member, 'stopped', 'rein task done')
      .write('directive.expired', {}, { agent: member, cause: directive.id })
    const story = pen.tell()
    expect(inShort(pen).slice(3)).toEqual([
      'parser-1 | directive | ada told it: Use tabs. | expired',
      'parser-1 | turn | Last one | interrupted',
      '- | task | ada: the task is done | ',
      'parser-1 | agent | stopped | ',
    ])
    expect(story.to).toBe(endAt)
    pen
      .write('decision.logged', { decision })
      .write('chat.posted', { post: { ...post, kind: 'message' } })
      .write('event.published', { event: anEvent({}), recipients: [] })
      .turn(member, 'Something else')
      .state(member, 'idle')
      .write('agent.state', { state: 'awaiting_permission', evidence: { source: 'hook' }, question }, { agent: member })
      .write('agent.answered', { question, answer: 'deny', by: 'person', why: '' }, { agent: member })
      .state(member, 'crashed')
    expect(pen.tell()).toEqual(story)
  })

  test('a task that was stopped and goes on is told again', () => {
    const pen = begun().write('task.state', { task: aTask.id, state: 'stopped', reason: null })
    const lease = {
      id: 'lse_1',
      project,
      root: '/home/dev/shop',
      glob: 'src/**',
      mode: 'exclusive' as const,
      why: null,
    }
    pen
      .write('lease.taken', { lease: { ...lease, holder: null, at: now, until: now + 9 } })
      .turn(member, 'Between')
      .write('task.state', { task: aTask.id, state: 'running', reason: null })
      .turn(member, 'Again')
      .write('lease.denied', { lease: 'lse_1', path: '/home/dev/shop/src/a.ts', tool: 'Edit' }, { agent: member })
    const { moments, to } = pen.tell()
    expect(moments.slice(4).map(({ text }) => text)).toEqual([
      'ada: the task is running',
      'Again',
      'was denied Edit of src/a.ts',
    ])
    expect(moments.at(-1)?.why).toBe('the user has a lease on src/**')
    expect(to).toBe(pen.at + 1000)
  })

  test('what a transcript told too late is told, if it was before the end', () => {
    const pen = begun().write('task.state', { task: aTask.id, state: 'done', reason: null })
    pen.at -= 500_000
    expect(pen.turn(member, 'Written late').tell().moments[0]).toMatchObject({ text: 'Written late' })
  })

  test('a turn has its prompt, files, commands with their outcome, reply and cost', () => {
    const { moments, agents } = begun()
      .turn(member, 'Fix\n the dates', [
        call('1', 'Write', { file_path: '/home/dev/shop/src/a.ts', content: 'x' }),
        result('1', 'ok'),
        call('2', 'Edit', { file_path: 'src/b.ts', old_string: 'a', new_string: 'b' }),
        result('2', 'denied by a lease', true),
        call('3', 'Bash', { command: 'npm test > out.txt' }),
        result('3', 'Exit code 1\nred', true),
        call('4', 'Bash', { command: 'sed -i s/a/b/ src/c.ts' }),
        result('4', ''),
        call('5', 'Bash', { command: 'git push --force' }),
        result('5', "The user doesn't want to proceed with this tool use.", true),
        { type: 'text', text: 'Done.' },
      ])
      .tell()
    expect(moments.at(-1)).toMatchObject({ kind: 'turn', agent: 'parser-1', text: 'Fix the dates', count: 1 })
    expect(moments.at(-1)?.turn).toEqual({
      files: ['src/a.ts', 'src/c.ts'],
      fileCount: 2,
      commands: [
        { command: 'npm test > out.txt', outcome: 'failed', exit: 1 },
        { command: 'sed -i s/a/b/ src/c.ts', outcome: 'ok', exit: 0 },
      ],
      commandCount: 2,
      failedCount: 1,
      allowedCount: 0,
      reply: 'Done.',
      inputTokens: 100,
      cacheTokens: 0,
      outputTokens: 10,
      costUsd: 0.25,
      model: 'scripted',
    })
    expect(agents[1]).toMatchObject({ handle: 'parser-1', role: 'member', turns: 1, files: 2, commands: 2, failed: 1 })
  })

  test('a blocker is open until the one that it is for says otherwise', () => {
    const pen = begun().write('event.published', { event: anEvent({}), recipients: [lead.id] })
    expect(pen.tell().blockers).toMatchObject([{ id: 'evt_1', from: 'parser-1', text: 'The schema is missing' }])
    pen.write('event.acked', { event: 'evt_1', member: member.id }, { actor: asAgent(member) })
    expect(pen.tell().blockers).toHaveLength(1)
    pen.write('event.acked', { event: 'evt_1', member: lead.id }, { actor: asAgent(lead) })
    expect(pen.tell().blockers).toEqual([])
    expect(inShort(pen).at(-1)).toBe('parser-1 | event | blocker to parser-lead | solved, by parser-lead')
  })

  test('directives with their receipts, posts of its room, decisions', () => {
    const directive = aDirective({ agent: member, priority: 'urgent', text: 'Use tabs.' })
    const post = { id: 'post_1', author: asAgent(lead), at: now, mentions: [], kind: 'message' as const }
    const pen = begun()
      .write('directive.accepted', { directive }, { agent: member })
      .write(
        'directive.acked',
        { note: 'will do', evidence: { source: 'command' } },
        { agent: member, cause: directive.id },
      )
      .write('chat.posted', { post: { ...post, room: ofTask.room ?? '', text: '@parser-1 take dates' } })
      .write('chat.posted', { post: { ...post, room: `${project}/other`, text: 'Lunch?' } })
      .write('decision.logged', { decision: { id: 'dec_1', project, text: 'ISO dates only', by: person, at: now } })
    expect(inShort(pen).slice(3)).toEqual([
      'parser-1 | directive | ada told it (urgent): Use tabs. | acknowledged: will do',
      'parser-lead | post | @parser-1 take dates | ',
      '- | decision | ada: ISO dates only | ',
    ])
  })

  test('a turn that woke an agent is called what it was told', () => {
    const directive = aDirective({ agent: member, text: 'Use tabs.' })
    const context = {
      type: 'context' as const,
      source: 'hook',
      text: `<rein-directive id="${directive.id}" from="ada">`,
    }
    const pen = begun()
      .write('directive.accepted', { directive }, { agent: member })
      .turn(member, wakeSentence, [context])
    expect(pen.tell().moments.at(-1)).toMatchObject({ kind: 'turn', text: 'Use tabs.' })
  })

  test('leases, rules, loops, questions and moves', () => {
    const question = { id: 'q1', kind: 'permission' as const, tool: 'Bash', input: {}, summary: 'rm -rf build' }
    const lease = {
      id: 'lse_1',
      project,
      root: '/home/dev/shop',
      glob: 'src/**',
      mode: 'exclusive' as const,
      holder: lead,
      why: null,
      at: now,
      until: now + 9,
    }
    const loop = { kind: 'failing' as const, calls: ['npm test'], count: 4, result: 'red' }
    const said = { event: 'before_tool', conversation: null, subagent: null, tool: 'Bash', call: 'git push -f' }
    const opinions = [{ by: 'rule no-force-push', kind: 'deny' as const, reason: 'History is shared.' }]
    const pen = begun()
      .write('lease.taken', { lease }, { agent: lead })
      .write('lease.denied', { lease: 'lse_1', path: '/home/dev/shop/src/a.ts', tool: 'Edit' }, { agent: member })
      .write('lease.ended', { lease: 'lse_1', why: 'expired' })
      .write('rule.decided', { ...said, opinions, decided: 'deny' }, { agent: member })
      .write('rule.decided', { ...said, opinions: [], decided: null }, { agent: member })
      .write('loop.noted', { loop, conversation: null, subagent: null, text: 'You go in circles.' }, { agent: member })
      .write('agent.state', { state: 'awaiting_permission', evidence: { source: 'hook' }, question }, { agent: member })
      .write('agent.answered', { question, answer: 'deny', by: 'person', why: '' }, { agent: member })
    expect(inShort(pen).slice(3)).toEqual([
      'parser-lead | lease | took a lease on src/** (exclusive) | expired',
      'parser-1 | lease | was denied Edit of src/a.ts | ',
      'parser-1 | rule | was denied Bash git push -f | ',
      'parser-1 | loop | goes in circles (4 times): npm test | ',
      'parser-1 | question | asks for Bash: rm -rf build | deny, by ada',
    ])
    expect(pen.tell().moments[4]?.why).toBe('parser-lead has a lease on src/**')
  })

  test('says who did it, and on what; of what happens by itself nobody is named', () => {
    const question = { id: 'q', kind: 'permission' as const, tool: 'Bash', input: {}, summary: 'ls' }
    const evidence = { source: 'command' as const }
    const place = { conversation: null, turn: null }
    const what = { id: 'mov_1', kind: 'rewind' as const, of: null, part: 'chat' as const, files: null }
    const move = { ...what, wasRunning: false, agent: member, session: 'ses_1', from: place, to: place }
    const answered = { question, answer: 'allow', by: 'person' as const }
    const [phone, channel] = [{ actor: onPhone }, { kind: 'channel' as const, name: 'telegram', sender: 'ada' }]
    const user = { kind: 'user' as const, name: 'user' }
    const pen = begun()
      .write('agent.paused', { isPaused: true, isCutOff: false, reason: null }, { agent: member, ...phone })
      .write('agent.paused', { isPaused: false, isCutOff: false, reason: null }, { agent: member, actor: user })
      .write('agent.interrupted', { evidence }, { agent: member, actor: byRein })
      .write('agent.answered', { ...answered, why: 'device phone' }, { agent: member, ...phone })
      .write('agent.answered', { ...answered, why: 'rein answer' }, { agent: member, actor: user })
      .write('agent.answered', { ...answered, why: 'ada on channel telegram' }, { agent: member, actor: channel })
      .write('session.moving', { move }, { agent: member, ...phone })
      .write('directive.accepted', { directive: aDirective({ agent: member, sender: onPhone, text: 'Go' }) }, phone)
      .write('agent.state', { state: 'stopped', evidence, question: null }, { agent: member, ...phone })
    expect(inShort(pen).slice(3)).toEqual([
      'parser-1 | agent | paused, by the user (phone) | ',
      'parser-1 | agent | goes on after a pause, by the user | ',
      'parser-1 | agent | was interrupted | ',
      'parser-1 | question | asks for Bash: ls | allow, by the user (phone)',
      'parser-1 | question | asks for Bash: ls | allow, by the user: rein answer',
      'parser-1 | question | asks for Bash: ls | allow, by channel telegram (ada)',
      'parser-1 | move | rewind of its conversation by the user (phone) | ',
      'parser-1 | directive | the user (phone) told it: Go | ',
      'parser-1 | agent | stopped, by the user (phone) | ',
    ])
  })

  test('whoever is not of the task, or has left it, is not in it', () => {
    const pen = new Pen().write('task.created', { task: aTask }).turn(lead, 'Before it joined').join(lead, 'lead')
    pen
      .write('task.left', { task: aTask.id, agent: lead.id, reason: 'wanted' }, { agent: lead })
      .turn(lead, 'After it left')
    expect(pen.tell().moments.filter(({ kind }) => kind === 'turn')).toEqual([])
  })

  test('time is counted by state, whatever the clock does', () => {
    const pen = begun().state(member, 'working').state(member, 'idle').state(member, 'awaiting_answer')
    pen.at -= 3_600_000
    pen.state(member, 'stopped')
    const [, one] = pen.tell().agents
    expect(one).toMatchObject({ workingMs: 1000, idleMs: 1000, waitingMs: 0, downMs: 1000 })
  })

  test('since a moment: what was before is neither told nor counted', () => {
    const pen = begun().state(member, 'working').turn(member, 'Old')
    const since = pen.at + 500
    const { moments, agents } = pen.turn(member, 'New').state(member, 'idle').tell(ofTask, { since })
    expect(moments.map(({ text }) => text)).toEqual(['New'])
    expect(agents[1]).toMatchObject({ turns: 1, costUsd: 0.25, workingMs: pen.at - since })
  })
})

test('text from outside is one line, short, and nothing that a terminal obeys', () => {
  const raw = `\u001b[31mError:\u001b[0m no\r\n  key\u0007 \u001b]0;title\u0007${'x'.repeat(1000)}`
  const clean = `Error: no key ${'x'.repeat(1000)}`
  const question = { id: 'q', kind: 'permission' as const, tool: 'Bash', input: {}, summary: raw }
  const place = { conversation: null, turn: null }
  const what = { id: 'mov_1', kind: 'rewind' as const, of: null, part: 'chat' as const, files: null, wasRunning: false }
  const move = { ...what, agent: member, session: 'ses_1', from: place, to: place }
  const usage = { inputTokens: 1, outputTokens: 1, costUsd: 0, model: raw }
  const ids = { conversation: 'c', turn: 't' }
  const pen = begun()
    .state(member, 'stopped', raw)
    .write('agent.answered', { question, answer: 'deny', by: 'person', why: raw }, { agent: member })
    .write('session.moving', { move }, { agent: member })
    .write('session.failed', { move: 'mov_1', reason: raw, found: null, filesStay: false })
    .write('turn.started', { ...ids, prompt: raw, entry: 't' }, { agent: member })
    .write('turn.ended', { ...ids, leaf: 'x', reason: 'idle', entries: 0, usage }, { agent: member })
  const [stopped, asked, moved, turn] = pen.tell().moments.slice(3)
  for (const text of [
    stopped?.why,
    asked?.text,
    asked?.outcome?.why,
    moved?.outcome?.text,
    turn?.text,
    turn?.turn?.model,
  ]) {
    expect(text).toMatch(/^[^\p{Cc}]{40,300}$/u)
    expect(text).toContain(clean.slice(0, 40))
  }
})

test('what Rein says of what is told anyway is not told twice', () => {
  const daemon = { kind: 'daemon' as const }
  const post = { id: 'p', room: ofTask.room ?? '', author: daemon, at: now, mentions: [], kind: 'message' as const }
  const pen = begun()
    .write('chat.posted', { post: { ...post, text: 'parser-1 is gone' } })
    .write('event.published', { event: anEvent({ type: 'agent-crashed', to: null }), recipients: [] })
    .write('event.published', { event: anEvent({ type: 'member-lost', from: daemon }), recipients: [] })
  expect(inShort(pen).slice(3)).toEqual(['- | event | rein: member-lost to parser-lead | '])
})

describe('the story of one agent', () => {
  test('has what it said and was told anywhere', () => {
    const about = {
      ...ofTask,
      subject: { ...ofTask.subject, kind: 'agent' as const },
      task: null,
      agents: [member.id],
      room: null,
    }
    const post = { id: 'p', room: `${project}/lobby`, at: now, kind: 'message' as const, text: 'Hello', author: person }
    const { moments, agents } = new Pen()
      .turn(lead, 'Of another')
      .turn(member, 'Its own')
      .write('chat.posted', { post: { ...post, mentions: [{ agent: member, kind: 'plain' }] } })
      .write('chat.posted', { post: { ...post, mentions: [] } })
      .tell(about)
    expect(moments.map(({ text }) => text)).toEqual(['Its own', 'in lobby: ada: Hello'])
    expect(agents).toMatchObject([{ handle: 'parser-1', turns: 1 }])
  })
})

describe('the story of a session', () => {
  test('has its conversations, and ends when its agent went on elsewhere', () => {
    const pen = new Pen().turn(member, 'Its own').turn(lead, 'Of another').state(member, 'limited')
    const until = pen.at
    pen.state(member, 'stopped')
    const about = { ...ofTask, task: null, agents: [member.id, lead.id], room: null }
    const story = pen.tell({ ...about, conversations: new Set(['c-parser-1']), until })
    expect(story.moments.map(({ text }) => text)).toEqual(['Its own', 'has to wait: its usage limit is reached'])
    expect(story.agents).toMatchObject([{ turns: 1, waitingMs: 0 }, { turns: 0 }])
  })
})

describe('a long story', () => {
  test('folds turns of one agent that follow each other, and says so', () => {
    const pen = begun()
    for (let n = 0; n < 20; n += 1) pen.turn(n % 2 === 0 ? lead : member, `Turn ${n}`, [], 1)
    const { moments, foldedCount, agents } = pen.tell(ofTask, { mostMoments: 10 })
    const turns = moments.filter(({ kind }) => kind === 'turn')
    expect(turns[0]).toMatchObject({ agent: 'parser-lead', text: 'Turn 0', count: 9, turn: { costUsd: 9 } })
    expect(turns[1]).toMatchObject({ agent: 'parser-1', text: 'Turn 1' })
    expect([moments.length <= 10, turns.reduce((sum, { count }) => sum + count, 0)]).toEqual([true, 20])
    expect([foldedCount, agents.map(({ turns: own }) => own)]).toEqual([20 - turns.length, [10, 10]])
  })

  test('keeps what one looks for first as long as it can', () => {
    const pen = begun()
    for (let n = 0; n < 200; n += 1)
      pen
        .turn(member, `Turn ${n}`)
        .state(member, n === 100 ? 'crashed' : 'stopped')
        .state(member, 'idle')
    const { moments } = pen.tell(ofTask, { mostMoments: 40 })
    expect(moments.length).toBeLessThanOrEqual(40)
    expect(moments.filter(({ text }) => text === 'crashed')).toHaveLength(1)
    expect(moments.reduce((sum, { count }) => sum + count, 0)).toBe(3 + 400)
  })

  test('what becomes of something that is folded is not said of all the others', () => {
    const directive = aDirective({ agent: member, text: 'Use tabs.' })
    const post = { id: 'p', room: ofTask.room ?? '', author: asAgent(member), at: now, mentions: [], text: 'Done.' }
    const pen = begun()
    const since = pen.at + 1
    pen.write('directive.accepted', { directive }, { agent: member })
    for (let n = 0; n < 2000; n += 1)
      pen.turn(member, `Turn ${n}`).write('chat.posted', { post: { ...post, kind: 'message' } })
    // The last of 4,001 moments is too much: it folds before the receipt, and not once more at the end.
    const ack = { evidence: { source: 'command' as const } }
    const { moments } = pen
      .write('directive.acked', ack, { agent: member, cause: directive.id })
      .tell(ofTask, { since, mostMoments: 2000 })
    const [more] = moments.filter(({ kind }) => kind === 'more')
    expect(more?.evidence).toContain(directive.id)
    expect(more?.outcome).toBeNull()
  })

  test('an open blocker that is folded keeps its text', () => {
    const pen = begun()
    const since = pen.at + 1
    pen.write('event.published', { event: anEvent({}), recipients: [lead.id] })
    for (let n = 0; n < 20; n += 1) pen.state(member, 'crashed').state(member, 'idle')
    const { moments, blockers } = pen.tell(ofTask, { since, mostMoments: 4 })
    expect(moments.filter(({ kind }) => kind === 'event')).toEqual([])
    expect(blockers).toMatchObject([{ id: 'evt_1', text: 'The schema is missing' }])
  })

  test('of a hundred thousand records keeps little, and each of it short', () => {
    const pen = begun()
    const junk = 'x'.repeat(20_000)
    const { records } = pen.turn(member, junk, [{ type: 'text', text: junk }]).state(member, 'crashed', junk)
    const four = records.slice(3)
    const teller = pen.tell.bind(pen)
    for (let n = 0; n < 25_000; n += 1)
      for (const record of four) {
        const body = 'turn' in record.body ? { ...record.body, turn: `t${n}` } : record.body
        records.push({ ...record, seq: records.length + 1, id: `r${records.length}`, body } as typeof record)
      }
    const story = teller()
    expect(story.moments.length).toBeLessThanOrEqual(1000)
    expect(JSON.stringify(story).length).toBeLessThan(2_000_000)
    expect(story.agents[1]).toMatchObject({ turns: 25_001 })
  })
})
