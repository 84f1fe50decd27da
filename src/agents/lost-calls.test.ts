import { describe, expect, test } from 'vitest'
import { aCall, now } from '../../test/support/builders.ts'
import { startSupervised } from '../../test/support/supervised.ts'
import type { HostKind } from '../contract/agent.ts'
import { emptyReply, type HookCall } from '../contract/hooks.ts'

describe('a verdict that its CLI has not got', () => {
  const opinions = [{ by: 'policy Bash=deny', kind: 'deny', reason: 'No.' }] as const
  const reply = { ...emptyReply, verdict: { kind: 'deny', reason: 'No.' } as const, opinions }
  const question = { id: 'q1', kind: 'permission' as const, tool: 'Bash', input: { command: 'ls' }, summary: '' }
  const call = aCall({ event: 'permission', tools: [{ id: 't1', name: 'Bash', input: question.input }], question })
  const asking = async (host: HostKind) => {
    const world = startSupervised({ state: 'working', host })
    await world.agent.adopt()
    const hear = (heard: HookCall, answer = emptyReply): void => {
      world.agent.hearHook(heard)
      world.agent.settleHook(heard, answer, true)
    }
    hear(call, reply)
    return { ...world, hear }
  }

  test('is given to its dialog if it denies, also while a sub-agent works', async () => {
    const { agent, hear, said } = await asking('tmux')
    hear(aCall({ event: 'before_tool', subagent: { id: 'a1', type: 'helper' } }))
    agent.missReply(call, reply)
    await expect.poll(() => said).toEqual(['deny q1'])
  })

  test('is left to a person if it allows: the dialog of another call may be in front', async () => {
    const { agent, said } = await asking('tmux')
    agent.missReply(call, { ...emptyReply, verdict: { kind: 'allow' } })
    await new Promise((resolve) => setImmediate(resolve))
    expect(said).toEqual([])
  })

  test.each<[string, HostKind, Partial<HookCall> | null]>([
    ['of one that has gone on', 'tmux', { event: 'after_batch' }],
    ['of a stream, which asks by itself', 'stream', null],
  ])('%s: nothing is answered', async (_, host, since) => {
    const { agent, hear, said, records } = await asking(host)
    if (since !== null) hear(aCall(since))
    agent.missReply(call, reply)
    await new Promise((resolve) => setImmediate(resolve))
    expect(said).toEqual([])
    expect(records.filter(({ type }) => type === 'agent.answered')).toHaveLength(1)
  })
})

test('an agent that was to go on has stopped if its CLI did not get that, also while a sub-agent works', () => {
  const { agent } = startSupervised({ state: 'working', host: 'tmux' })
  const stop = aCall({ event: 'stop', native: 'Stop' })
  const goesOn = { ...emptyReply, goOn: [{ from: 'inbox', text: 'One more thing.' }] }
  agent.hearHook(stop)
  agent.settleHook(stop, goesOn, true)
  agent.settleHook(aCall({ event: 'after_batch', subagent: { id: 'a1', type: 'helper' } }), emptyReply, false)
  expect(agent.agent.state).toBe('working')
  agent.missReply(stop, goesOn)
  expect(agent.agent.state).toBe('idle')
})

describe('a call that its hook client has left a note of', () => {
  const stop = aCall({ event: 'stop', native: 'Stop' })
  const atWork = () => {
    const world = startSupervised({ state: 'working', host: 'tmux' })
    const hear = (given: Partial<HookCall>): void => {
      world.clock.now += 1000
      world.agent.hearHook(aCall(given))
      world.agent.settleHook(aCall(given), emptyReply, false)
    }
    return { ...world, hear }
  }

  test('an agent that has called since is not what it was then, and what it asks for is still open', () => {
    const { agent, clock, hear } = atWork()
    hear({ event: 'stop', native: 'Stop' })
    const gaveUpAt = clock.now + 200
    hear({ event: 'prompt', native: 'UserPromptSubmit', prompt: 'Go on.' })
    const tools = [{ id: 't1', name: 'Bash', input: { command: 'ls' } }]
    const call = aCall({ event: 'before_tool', tools })
    agent.settleHook(call, { ...emptyReply, decision: { kind: 'ask', reason: 'Sure?' } }, true)
    agent.hearNote(stop, gaveUpAt)
    expect(agent.agent.state).toBe('working')
    const question = { id: 'q1', kind: 'permission' as const, tool: 'Bash', input: { command: 'ls' }, summary: '' }
    expect(agent.questions.asksPerson({ question, call: 't1' })).toBe(true)
  })

  test('one that has not called since has stopped, whatever its sub-agents do', () => {
    const { agent, clock, hear } = atWork()
    hear({ event: 'after_batch' })
    const gaveUpAt = clock.now + 200
    hear({ event: 'after_batch', subagent: { id: 'a1', type: 'helper' } })
    hear({ event: 'notification', native: 'Notification' })
    agent.hearNote(stop, gaveUpAt)
    expect(agent.agent.state).toBe('idle')
  })

  test('an older note that its context was compacted counts', () => {
    const { agent, clock, hear } = atWork()
    const heard: string[] = []
    Object.assign(agent.conversation, { loseContext: () => heard.push('lost') })
    const gaveUpAt = clock.now + 200
    hear({ event: 'prompt', native: 'UserPromptSubmit', prompt: 'Go on.' })
    agent.hearNote(aCall({ event: 'after_compact', native: 'PostCompact' }), gaveUpAt)
    expect([heard, agent.agent.state]).toEqual([['lost'], 'working'])
  })

  test('notes do not hide each other', () => {
    const { agent } = atWork()
    agent.hearNote(aCall({ event: 'session_start', native: 'SessionStart', source: 'resume' }), now - 2)
    agent.hearNote(stop, now - 1)
    expect(agent.agent.state).toBe('idle')
  })
})
