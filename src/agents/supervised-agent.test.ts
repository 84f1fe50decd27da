import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aCall, anAgent, now, person, recording, lose } from '../../test/support/builders.ts'
import { evidence, startSupervised } from '../../test/support/supervised.ts'
import { LaunchRequest } from '../contract/agent.ts'
import { emptyReply, type Responder } from '../contract/hooks.ts'
import { wakeSentence } from '../contract/wake.ts'

const asPerson = { actor: person, by: 'person' as const, why: 'rein answer' }
const refusal = (code: string) => expect.objectContaining({ code })

describe('launching', () => {
  test('it is known with its process and its conversation, and starts', async () => {
    const { agent, launch, types, news } = startSupervised({ state: 'stopped', conversation: null, transcript: null })
    await launch()
    expect(agent.agent).toMatchObject({
      state: 'starting',
      process: { pid: 4711 },
      conversation: 'aaaaaaaa-0000-4000-8000-000000000000',
      version: '2.1.197',
    })
    expect(types()).toContain('agent.launched')
    expect(news).toContain('new context')
  })

  test('a CLI that was just asked for its version is not asked again', async () => {
    const { agent, dir } = startSupervised({ state: 'stopped' })
    const asked = { path: '/opt/claude', version: '2.1.200' }
    await agent.launch(LaunchRequest.parse({ cwd: dir }), 'stream', { HOME: dir }, { installed: asked })
    expect(agent.agent).toMatchObject({ version: '2.1.200', program: '/opt/claude' })
  })

  test('the end of a process that ends before it is known as launched is not missed', async () => {
    const { agent, launch, events } = startSupervised({ state: 'stopped' })
    events.early = [{ kind: 'exit', code: 3, signal: null, evidence: { source: 'process', detail: 'exit code 3' } }]
    await launch()
    expect(agent.agent).toMatchObject({ state: 'crashed', evidence: { detail: 'exit code 3' }, process: null })
  })

  test('to continue means its own conversation, not the newest one in its directory', async () => {
    const { launch, plans, dir, news, agent } = startSupervised({ state: 'stopped' })
    writeFileSync(join(dir, 'c1.jsonl'), recording('run-say').join('\n'))
    await launch({ continue: true })
    expect(plans[0]?.args).toEqual(expect.arrayContaining(['--resume', agent.agent.conversation]))
    expect(plans[0]?.args).not.toContain('--continue')
    expect(news).not.toContain('new context')
  })

  test('again before anything was written: with its first prompt; afterwards with its conversation alone', async () => {
    const { agent, launch, plans } = startSupervised({ state: 'stopped', conversation: null, transcript: null })
    await launch({ prompt: 'Begin.' })
    const { transcript, conversation } = agent.agent
    await agent.restart({}, null)
    expect(plans[1]).toMatchObject({ conversation, firstPrompt: 'Begin.' })
    mkdirSync(join(transcript ?? '', '..'), { recursive: true })
    writeFileSync(transcript ?? '', recording('run-say').join('\n'))
    await agent.restart({ prompt: 'Go on.' }, null)
    expect(plans[2]).toMatchObject({ conversation, firstPrompt: 'Go on.' })
    await agent.restart({ isFresh: true }, null)
    expect(plans[3]?.firstPrompt).toBeNull()
    expect(plans[3]?.args).not.toContain('--resume')
  })

  test('variables of the request are not written down', async () => {
    const { launch, records } = startSupervised({ state: 'stopped' })
    await launch({ env: { TOKEN: 'hush' } })
    expect(JSON.stringify(records)).not.toContain('hush')
  })
})

describe('taking over', () => {
  test('the conversation is read before anything else happens', async () => {
    const { agent, dir, news } = startSupervised({ state: 'working' })
    writeFileSync(
      join(dir, 'c1.jsonl'),
      recording('run-say')
        .map((line) => `${line}\n`)
        .join(''),
    )
    await agent.adopt()
    expect(news.filter((one) => one === 'entry')).toHaveLength(6)
    expect(news.at(-1)).toBe('read')
    expect(agent.agent.state).toBe('working')
  })

  test('a process that is gone has crashed', async () => {
    const { agent } = startSupervised({ state: 'working' }, false)
    await agent.adopt()
    expect(agent.agent).toMatchObject({ state: 'crashed', process: null })
  })

  test('one that a person had ended by its dialog is stopped, whenever that was', async () => {
    const ending = { until: now - 60_000, actor: person }
    const { agent, records } = startSupervised({ state: 'awaiting_answer', ending }, false)
    await agent.adopt()
    expect(agent.agent).toMatchObject({ state: 'stopped', process: null, ending: null })
    expect(records.map(({ type, actor }) => ({ type, actor }))).toEqual([{ type: 'agent.state', actor: person }])
  })

  test.each(['a note', 'a hook'])(
    'one that was being stopped is stopped, whatever %s of its last moments says',
    async (of) => {
      const ending = { until: now + 5_000, actor: person }
      const { agent, happen } = startSupervised({ state: 'working', ending }, of === 'a hook')
      const stop = aCall({ event: 'stop', native: 'Stop' })
      if (of === 'a note') agent.hearNote(stop, now - 1_000)
      await agent.adopt()
      if (of === 'a hook') {
        agent.hearHook(stop)
        happen({ kind: 'exit', code: 143, signal: null, evidence })
      }
      expect(agent.agent).toMatchObject({ state: 'stopped', process: null })
    },
  )

  test('one that was stopped stays stopped', async () => {
    const { agent, records } = startSupervised({ state: 'stopped', process: null }, false)
    await agent.adopt()
    expect(agent.agent.state).toBe('stopped')
    expect(records).toEqual([])
  })
})

describe('what a person asks of it', () => {
  test('stopped when asked to is not crashed', async () => {
    const { agent, launch } = startSupervised({ state: 'stopped' })
    await launch()
    await agent.stop(1000, person)
    expect(agent.agent.state).toBe('stopped')
  })

  test('that it is being stopped is known to a daemon that comes after this one, whatever hooks it still calls', async () => {
    const { agent, launch, onStop } = startSupervised({ state: 'stopped' })
    await launch()
    const known: unknown[] = []
    onStop(() => {
      agent.hearHook(aCall({ event: 'stop', native: 'Stop' }))
      agent.tick()
      known.push(agent.agent.ending?.actor)
    })
    await agent.stop(0, person)
    expect(known).toEqual([person])
  })

  test('that it could not be stopped in time is known to that daemon, too: its end is another matter then', async () => {
    const { agent, launch, onStop, clock } = startSupervised({ state: 'stopped' })
    await launch()
    onStop(() => {
      throw new Error('It does not end.')
    })
    await expect(agent.stop(1000, person)).rejects.toThrow('It does not end.')
    agent.tick()
    expect(agent.agent.ending).toMatchObject({ actor: person })
    clock.now += 1000
    agent.tick()
    expect(agent.agent.ending).toBeNull()
  })

  test.each([
    ['no', 'nothing', 'stopped'],
    ['yes', 'nothing', 'crashed'],
    // It went on all the same, and ended later.
    ['no', 'a hook', 'crashed'],
    ['no', 'a minute', 'crashed'],
  ] as const)('it ends after %j to its own dialog, with %s in between: %s', async (said, between, state) => {
    const { agent, launch, happen, clock, atAnswer } = startSupervised({ state: 'stopped' })
    await launch()
    const options = ['No, exit', 'Yes, I trust this folder']
    const question = { id: 'screen:trust:1', kind: 'question' as const, tool: 'trust', input: {}, summary: '', options }
    happen({ kind: 'state', state: 'awaiting_answer', evidence: { source: 'screen', detail: 'trust' }, question })
    await agent.questions.answer({ kind: 'text', text: said }, asPerson)
    // By then the choice is on disk, for a daemon that comes after this one.
    expect(atAnswer.types.includes('agent.ending')).toBe(said === 'no')
    if (between === 'a hook') agent.hearHook(aCall({ event: 'session_start' }))
    if (between === 'a minute') clock.now += 60_000
    happen({ kind: 'exit', code: 1, signal: null, evidence })
    expect(agent.agent).toMatchObject({ state, question: null })
  })

  test('an answer goes to the question that is open, once', async () => {
    const { agent, launch, happen, said } = startSupervised({ state: 'stopped' })
    await launch()
    const question = { id: 'q1', kind: 'permission' as const, tool: 'Bash', input: {}, summary: '' }
    await expect(agent.questions.answer({ kind: 'allow' }, asPerson)).rejects.toEqual(refusal('nothing_to_answer'))
    happen({ kind: 'state', state: 'awaiting_permission', evidence, question })
    await expect.poll(() => agent.agent.question).toEqual(question)
    await agent.questions.answer({ kind: 'allow' }, asPerson)
    expect(said).toEqual(['allow q1'])
    expect(agent.agent).toMatchObject({ state: 'working', question: null })
    await expect(agent.questions.answer({ kind: 'allow' }, asPerson)).rejects.toEqual(refusal('nothing_to_answer'))
  })

  test('what a person is to be asked about is approved by no policy, whatever ends beside it, also after a takeover', async () => {
    const request = LaunchRequest.parse({ cwd: '/', policy: { otherwise: 'approve', tools: {} } })
    const { agent, happen, said } = startSupervised({ state: 'working', request })
    await agent.adopt()
    const [input, subagent] = [{ command: 'touch x' }, { id: 'a1', type: 'helper' }]
    const call = aCall({ event: 'before_tool', subagent, tools: [{ id: 't1', name: 'Bash', input }] })
    agent.hearHook(call)
    agent.settleHook(call, { ...emptyReply, decision: { kind: 'ask', reason: 'Look first.' } }, true)
    const question = { id: 'q1', kind: 'permission' as const, tool: 'Bash', input, summary: '' }
    const asks = (): void => happen({ kind: 'state', state: 'awaiting_permission', evidence, question, call: 't1' })
    asks()
    const other = [{ id: 't2', name: 'Read', input: {} }]
    agent.hearHook(aCall({ event: 'after_batch', subagent: { id: 'a2', type: 'helper' }, tools: other }))
    asks()
    const open = { state: 'awaiting_permission', question: { ...question, why: 'Look first.' } } as const
    await expect.poll(() => agent.agent).toMatchObject(open)
    const next = startSupervised({ ...open, request })
    await next.agent.adopt()
    for (const id of ['q1', 'q2'])
      next.happen({ kind: 'state', state: 'awaiting_permission', evidence, question: { ...question, id }, call: id })
    await expect.poll(() => next.agent.agent).toMatchObject({ ...open, question: { ...open.question, id: 'q2' } })
    expect([...said, ...next.said]).toEqual([])
    happen({ kind: 'state', state: 'awaiting_permission', evidence, question: { ...question, id: 'q2' }, call: 't3' })
    await expect.poll(() => said).toEqual(['allow q2'])
  })

  test('what a rule wants to be asked about over a protocol is a question with the reason, whatever the policy', async () => {
    const request = LaunchRequest.parse({ cwd: '/', policy: { otherwise: 'approve', tools: {} } })
    const rule: Responder = {
      name: 'rules',
      events: ['permission'],
      deadlineMs: 100,
      respond: ({ tools: [tool] }) => {
        const kind = tool?.name === 'Bash' ? 'ask' : 'deny'
        return { opinions: [{ by: 'rule x', kind, reason: 'Sure?' }] }
      },
    }
    const { agent, happen, said, records } = startSupervised({ state: 'working', request }, true, [rule])
    await agent.adopt()
    const question = { id: 'q1', kind: 'permission' as const, tool: 'Bash', input: {}, summary: '' }
    happen({ kind: 'state', state: 'awaiting_permission', evidence, question, call: 't1' })
    await expect.poll(() => agent.agent.question).toEqual({ ...question, why: 'Sure?' })
    happen({
      kind: 'state',
      state: 'awaiting_permission',
      evidence,
      question: { ...question, id: 'q2', tool: 'Write' },
      call: 't2',
    })
    await expect.poll(() => said).toEqual(['deny q2'])
    await expect
      .poll(() => records.at(-1))
      .toMatchObject({ type: 'agent.answered', body: { by: 'rule', why: 'rule x' } })
  })

  test('a call that its CLI cannot ask about is held: a person allows exactly that one, once, and the agent is told', async () => {
    const { agent, launch, said, clock } = startSupervised({ state: 'stopped', version: '2.1.9', driver: 'claude' })
    await launch()
    const tool = { id: 't1', name: 'Bash', input: { command: 'deploy' } }
    const ask = { ...emptyReply, decision: { kind: 'ask' as const, reason: 'Rule x: sure?' } }
    Object.assign(agent.agent, { version: '2.1.9' })
    const held = agent.questions.holdCall(aCall({ event: 'before_tool', tools: [tool] }), ask)
    expect(held.decision).toMatchObject({ kind: 'deny', reason: expect.stringContaining('a person is asked') })
    expect(agent.agent.held).toMatchObject([{ tool: 'Bash', input: tool.input, why: 'Rule x: sure?' }])
    expect(agent.questions.isGranted(tool, true)).toBe(false)
    await agent.questions.answer({ kind: 'allow' }, asPerson)
    expect(agent.agent.held).toEqual([])
    expect(said.at(-1)).toContain('say A person allows the call that was held back (Bash: deploy).')
    expect(agent.questions.isGranted({ ...tool, input: { command: 'deploy --all' } }, true)).toBe(false)
    expect([
      agent.questions.isGranted(tool, false),
      agent.questions.isGranted(tool, true),
      agent.questions.isGranted(tool, true),
    ]).toEqual([true, true, false])
    agent.questions.holdCall(aCall({ event: 'before_tool', tools: [tool] }), ask)
    await agent.questions.answer({ kind: 'allow' }, asPerson)
    clock.now += 16 * 60 * 1000
    expect(agent.questions.isGranted(tool, true)).toBe(false)
    agent.questions.holdCall(aCall({ event: 'before_tool', tools: [tool] }), ask)
    await agent.questions.answer({ kind: 'text', text: 'Not on Fridays.' }, asPerson)
    expect(said.at(-1)).toContain('They say: Not on Fridays. Do not try it again.')
    expect(agent.questions.isGranted(tool, true)).toBe(false)
  })

  test('a held call whose denial was lost has run: nobody is asked about it', async () => {
    const { agent, launch } = startSupervised({ state: 'stopped', version: '2.1.9' })
    await launch()
    Object.assign(agent.agent, { version: '2.1.9' })
    const hold = (command: string) => {
      const call = aCall({ event: 'before_tool', tools: [{ id: 't1', name: 'Bash', input: { command } }] })
      return agent.questions.holdCall(call, { ...emptyReply, decision: { kind: 'ask', reason: 'Sure?' } })
    }
    const first = hold('deploy')
    hold('clean')
    lose(first)
    expect(agent.agent.held).toMatchObject([{ input: { command: 'clean' } }])
    const again = [hold('deploy'), hold('deploy')]
    lose(again[0] ?? emptyReply)
    expect(agent.agent.held).toMatchObject([{ input: { command: 'clean' } }, { input: { command: 'deploy' } }])
  })

  test('an interrupt is remembered', async () => {
    const { agent, launch, clock } = startSupervised({ state: 'stopped' })
    await launch()
    clock.now += 5
    await agent.interrupt(person)
    expect(agent.agent.interruptedAt).toBe(now + 5)
  })

  test('of one that does not run nothing can be asked', async () => {
    const { agent } = startSupervised({ state: 'stopped', process: null })
    await expect(agent.interrupt(person)).rejects.toEqual(refusal('not_running'))
    await expect(agent.wake(null, false)).rejects.toEqual(refusal('not_running'))
    await expect(agent.stop(1, person)).rejects.toEqual(refusal('not_running'))
    await expect(agent.questions.answer({ kind: 'allow' }, asPerson)).rejects.toEqual(refusal('not_running'))
  })
})

describe('whose call it is', () => {
  const conversation = anAgent().conversation

  test.each([
    ['its own process', { pid: 4711, conversation: 'another' }, true],
    ['no pid, its conversation', { pid: null, conversation }, true],
    ['no pid, another conversation', { pid: null, conversation: 'another' }, false],
    ['another process with its conversation', { pid: 1, conversation }, false],
    ['a claude that it started itself', { pid: process.pid, conversation: 'another' }, false],
  ])('%s', (_, given, expected) => {
    const { agent } = startSupervised({ state: 'working' })
    expect(agent.admitsCall(aCall(given))).toBe(expected)
  })

  test('a foreign conversation is written down once', () => {
    const { agent, types } = startSupervised({ state: 'working' })
    for (const event of ['Stop', 'PreToolUse']) agent.admitsCall(aCall({ pid: 1, conversation: 'x', native: event }))
    expect(types()).toEqual(['agent.foreign'])
  })
})

describe('what its calls say', () => {
  test('another conversation is another context', () => {
    const { agent, news, dir } = startSupervised({ state: 'working' })
    const transcript = join(dir, 'c2.jsonl')
    agent.hearHook(
      aCall({ event: 'session_start', native: 'SessionStart', conversation: 'c2', transcript, source: 'clear' }),
    )
    expect(agent.agent).toMatchObject({ conversation: 'c2', transcript })
    expect(news.filter((one) => one === 'new context')).toHaveLength(1)
  })

  test('the same conversation again is the same context; after a compaction it is another', () => {
    const { agent, news } = startSupervised({ state: 'working' })
    const { conversation, transcript } = agent.agent
    const starts = (source: string) =>
      agent.hearHook(aCall({ event: 'session_start', native: 'SessionStart', conversation, transcript, source }))
    starts('resume')
    expect(news).not.toContain('new context')
    starts('compact')
    expect(news).toContain('new context')
  })

  test('a prompt of a person begins the count of blocked stops anew, a wake does not', () => {
    const { agent } = startSupervised({ state: 'working', stopBlocks: 2 })
    agent.hearHook(aCall({ event: 'prompt', native: 'UserPromptSubmit', prompt: wakeSentence }))
    expect(agent.agent.stopBlocks).toBe(2)
    agent.hearHook(aCall({ event: 'prompt', native: 'UserPromptSubmit', prompt: 'Go on.' }))
    expect(agent.agent.stopBlocks).toBe(0)
  })
})

describe('a CLI that does not say when a sub-agent calls', () => {
  const startWith = async (version: string) => {
    const world = startSupervised({ version, state: 'working' })
    writeFileSync(join(world.dir, 'c1.jsonl'), recording('subagent', '2.1.9').join('\n') + '\n')
    await world.agent.adopt()
    const callOf = (id: string) => aCall({ event: 'before_tool', tools: [{ id, name: 'Bash', input: {} }] })
    return { whoCalls: async (id: string) => (await world.agent.conversation.attributeCall(callOf(id), 1)).subagent }
  }
  const ownCalls = recording('subagent', '2.1.9').flatMap((line) => line.match(/toolu_\w+(?=","name")/g) ?? [])

  test('what is in the conversation is the call of the agent itself, the rest is not', async () => {
    const { whoCalls } = await startWith('2.1.9')
    expect(ownCalls).toHaveLength(2)
    for (const id of ownCalls) expect(await whoCalls(id)).toBeNull()
    expect(await whoCalls('toolu_of_a_subagent')).not.toBeNull()
  })

  test('one that does say so is believed', async () => {
    const { whoCalls } = await startWith('2.1.197')
    expect(await whoCalls('toolu_not_written_yet')).toBeNull()
  })
})

test('a turn of which nothing was written when it ended is ended when it is read', async () => {
  const { launch, state, records, agent } = startSupervised({ state: 'stopped' })
  const lines = recording('run-say').map((line) => `${line}\n`)
  await launch({ session: '11111111-2222-4333-8444-555555555555' })
  const path = agent.agent.transcript ?? ''
  mkdirSync(join(path, '..'), { recursive: true })
  state('working')
  state('idle')
  // The first that is written belongs to no turn.
  writeFileSync(path, '{"type":"mode"}\n')
  await agent.conversation.catchUp(0)
  appendFileSync(path, lines.join(''))
  await agent.conversation.catchUp(0)
  while (!records.some(({ type }) => type === 'turn.ended')) await new Promise((resolve) => setImmediate(resolve))
  expect(records.filter(({ type }) => type === 'turn.ended')).toMatchObject([{ body: { reason: 'idle' } }])
})

test('the last words of a turn, written after it ended, belong to it', async () => {
  const { launch, state, dir, records, agent } = startSupervised({ state: 'stopped' })
  const lines = recording('run-say').map((line) => `${line}\n`)
  await launch({ session: '11111111-2222-4333-8444-555555555555' })
  const path = agent.agent.transcript ?? ''
  expect(path.startsWith(dir)).toBe(true)
  state('working')
  state('idle')
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, lines.join(''))
  await agent.conversation.catchUp(0)
  const said = records.flatMap((record) => (record.type === 'turn.entry' ? record.body.blocks : []))
  expect(said.at(-1)).toMatchObject({ type: 'text', text: 'done' })
})
