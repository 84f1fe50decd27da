import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aCall, anAgent, anEntry, now } from '../../../test/support/builders.ts'
import { type Agent, type AgentState, agentStates, isAlive, type Question } from '../../contract/agent.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import type { HookEvent } from '../../contract/hooks.ts'
import { type Change, isAsking, type Memory, next, type Signal } from './machine.ts'

const memory: Memory = { lastHookAt: 0, answeredAt: 0, hasFirstPrompt: false }
const question: Question = { id: 'q1', kind: 'permission', tool: 'Bash', input: { command: 'ls' }, summary: 'Bash: ls' }
const screen = { source: 'screen' as const, detail: 'idle' }
const inTmux = (given: Partial<Agent> = {}): Agent => anAgent({ host: 'tmux', ...given })
const byHook = (state: AgentState): Partial<Agent> => ({ state, evidence: { source: 'hook', detail: 'Stop' } })
const hook = (event: HookEvent, given = {}): Signal => ({
  from: 'hook',
  call: aCall({ event, ...given }),
  goesOn: false,
})
const shows = (state: AgentState, asked: Question | null = null): Signal => ({
  from: 'screen',
  state,
  question: asked,
  evidence: screen,
})
const entry = (given: Partial<ConversationEntry> = {}): Signal => ({
  from: 'transcript',
  entry: anEntry({ at: now + 1, ...given }),
})
const stateAfter = (agent: Agent, signal: Signal, known = memory, at = now): AgentState | null =>
  next(agent, signal, known, at)?.state ?? null

describe('hooks', () => {
  test.each([
    ['prompt', 'working'],
    ['before_tool', 'working'],
    ['after_batch', 'working'],
    ['stop', 'idle'],
    ['stop_failed', 'idle'],
  ] as const)('%s means %s', (event, state) => {
    const other = state === 'idle' ? 'working' : 'idle'
    expect(stateAfter(inTmux({ state: other }), hook(event))).toBe(state)
  })

  test('a stop that is not granted is work', () => {
    const kept: Signal = { from: 'hook', call: aCall({ event: 'stop' }), goesOn: true }
    expect(stateAfter(inTmux({ state: 'idle' }), kept)).toBe('working')
  })

  test('a permission request is a state with its question', () => {
    const change = next(inTmux({ state: 'working' }), hook('permission', { question }), memory, now)
    expect(change).toMatchObject({ state: 'awaiting_permission', question })
  })

  test('what a sub-agent does says nothing of the agent', () => {
    const call = { subagent: { id: 's', type: 'Explore' } }
    expect(stateAfter(inTmux({ state: 'idle' }), hook('before_tool', call))).toBeNull()
  })

  test('at its start an agent with a first prompt works, one without is idle; later a session starts in the middle', () => {
    const starting = inTmux({ state: 'starting' })
    expect(stateAfter(starting, hook('session_start'), { ...memory, hasFirstPrompt: true })).toBe('working')
    expect(stateAfter(starting, hook('session_start'))).toBe('idle')
    expect(stateAfter(inTmux({ state: 'working' }), hook('session_start'))).toBeNull()
  })

  test('a stream knows better: only its start counts', () => {
    const agent = anAgent({ state: 'starting' })
    expect(stateAfter({ ...agent, state: 'working' }, hook('stop'))).toBeNull()
    expect(stateAfter(agent, hook('session_start'))).toBe('idle')
  })
})

describe('an Esc, which fires no hook in several CLIs', () => {
  const working = inTmux(byHook('working'))
  const late = now + 5000

  test('the screen tells, once the last hook is some time ago', () => {
    expect(stateAfter(working, shows('idle'), { ...memory, lastHookAt: now }, now + 500)).toBeNull()
    const change = next(working, shows('idle'), { ...memory, lastHookAt: now }, late)
    expect(change).toMatchObject({ state: 'idle', wasInterrupted: true })
  })

  test('it does so too where the screen was the first to show the work, and hooks told of it after', () => {
    const seenFirst = inTmux({ state: 'working', since: now, evidence: { source: 'screen', detail: 'busy' } })
    const tell = (lastHookAt: number) => next(seenFirst, shows('idle'), { ...memory, lastHookAt }, late)
    expect(tell(now + 100)).toMatchObject({ state: 'idle', wasInterrupted: true })
    expect(tell(now - 100)).toMatchObject({ state: 'idle', wasInterrupted: false })
  })

  test('the transcript tells at once', () => {
    const change = next(working, entry({ isInterrupt: true }), { ...memory, lastHookAt: now }, now + 10)
    expect(change).toMatchObject({ state: 'idle', wasInterrupted: true, evidence: { source: 'transcript' } })
  })

  test('one from before is no news when a conversation is read again', () => {
    expect(next(working, entry({ isInterrupt: true, at: now - 1 }), memory, now)).toBeNull()
  })
})

describe('a usage limit', () => {
  const until = now + 3_600_000
  const limited = inTmux({ state: 'limited', until })

  const byStream: Signal = { from: 'stream', state: 'limited', question: null, until, evidence: { source: 'stream' } }

  test.each([
    ['hook', hook('stop_failed', { limit: { until } })],
    ['transcript', entry({ limit: { until } })],
    ['stream', byStream],
  ])('is a state with its end, told by %s', (_, signal) => {
    expect(next(inTmux({ state: 'working' }), signal, memory, now)).toMatchObject({ state: 'limited', until })
  })

  test.each([
    ['later, but in the same minute', until + 30_000, null],
    ['without an end', null, null],
    ['sooner', until - 30_000, until - 30_000],
    ['much later', until + 3_600_000, until + 3_600_000],
  ])('told again %s: the sooner end of the same limit counts', (_, told, expected) => {
    expect(next(limited, entry({ limit: { until: told } }), memory, now)?.until ?? null).toBe(expected)
  })

  test('that the CLI waits for a prompt meanwhile is no end of it; that it works is', () => {
    expect(stateAfter(limited, hook('stop'))).toBeNull()
    expect(stateAfter(limited, shows('idle'), memory, now + 60_000)).toBeNull()
    expect(stateAfter(limited, hook('prompt'))).toBe('working')
    expect(stateAfter(limited, shows('idle'), memory, until + 1)).toBe('idle')
  })
})

describe('a CLI that is not logged in', () => {
  const words = 'Not logged in · Please run /login'
  const byWords = next(inTmux({ state: 'working' }), entry({ loggedOut: words }), memory, now)
  const asked = inTmux({ state: 'awaiting_answer', question: byWords?.question ?? null, since: now })

  test.each([
    ['hook', hook('stop_failed', { loggedOut: words })],
    ['transcript', entry({ loggedOut: words })],
    ['transcript, read after the screen showed the end of the turn', entry({ loggedOut: words, at: now - 300 })],
  ])('is a question that only a login answers, told by %s', (from, signal) => {
    const state = from.includes('after') ? 'idle' : 'working'
    const change = next(inTmux({ state, since: now }), signal, memory, now)
    expect(change).toMatchObject({ state: 'awaiting_answer', question: { tool: 'login', summary: words } })
  })

  test('one from before is no news when a conversation is read again', () => {
    expect(stateAfter(inTmux({ state: 'working', since: now }), entry({ loggedOut: words, at: now - 300 }))).toBeNull()
    expect(stateAfter(inTmux({ state: 'idle', since: now }), entry({ loggedOut: words, at: now - 60_000 }))).toBeNull()
  })

  test('that the CLI waits for a prompt is no login; a login, a prompt and work are', () => {
    expect(stateAfter(asked, hook('stop'))).toBeNull()
    expect(stateAfter(asked, shows('idle'), memory, now + 60_000)).toBeNull()
    expect(stateAfter(asked, entry({ isLogin: true }))).toBe('idle')
    expect(stateAfter(asked, hook('prompt'))).toBe('working')
    expect(stateAfter(asked, shows('working'), memory, now + 60_000)).toBe('working')
  })

  test('what only the screen showed ends when the screen no longer shows it', () => {
    const shown = { ...question, id: 'screen:login:1', kind: 'question' as const, tool: 'login' }
    expect(stateAfter({ ...asked, question: shown }, shows('idle'), memory, now + 60_000)).toBe('idle')
  })

  test('a login of one that was logged in changes nothing', () => {
    expect(stateAfter(inTmux({ state: 'working' }), entry({ isLogin: true }))).toBeNull()
  })
})

describe('the screen', () => {
  test('does not take away a question that a hook has told in full', () => {
    const asked = inTmux({ state: 'awaiting_permission', question })
    expect(stateAfter(asked, shows('awaiting_permission', { ...question, id: 'screen:permission' }))).toBeNull()
  })

  test('a dialog that was answered a moment ago is only closing', () => {
    const working = inTmux({ state: 'working' })
    expect(
      stateAfter(working, shows('awaiting_permission', question), { ...memory, answeredAt: now }, now + 300),
    ).toBeNull()
    expect(
      stateAfter(working, shows('awaiting_permission', question), { ...memory, answeredAt: now }, now + 3000),
    ).toBe('awaiting_permission')
  })

  test('a permission dialog right after a hook is left to the permission hook; one that stays is a question', () => {
    const [working, heard] = [inTmux({ state: 'working' }), { ...memory, lastHookAt: now }]
    const dialog = shows('awaiting_permission', { ...question, id: 'screen:permission' })
    expect(stateAfter(working, dialog, heard, now + 300)).toBeNull()
    expect(stateAfter(working, dialog, heard, now + 3000)).toBe('awaiting_permission')
    const other = shows('awaiting_answer', { ...question, id: 'screen:trust', kind: 'question' })
    expect(stateAfter(working, other, heard, now + 300)).toBe('awaiting_answer')
  })

  test('an empty composer before the first prompt is taken in is not idleness', () => {
    const starting = inTmux({ state: 'starting' })
    const known = { ...memory, hasFirstPrompt: true }
    expect(stateAfter(starting, shows('idle'), known, now + 1000)).toBeNull()
    expect(stateAfter(starting, shows('idle'), known, now + 9000)).toBe('idle')
  })
})

describe('whatever is heard', () => {
  const anySignal: fc.Arbitrary<Signal> = fc.oneof(
    fc
      .constantFrom<HookEvent>('session_start', 'prompt', 'before_tool', 'after_batch', 'stop', 'stop_failed', 'other')
      .map((event) => hook(event)),
    fc.constant(hook('permission', { question })),
    fc.constantFrom<AgentState>('idle', 'working').map((state) => shows(state)),
    fc.constant(shows('awaiting_permission', question)),
    fc.record({ isInterrupt: fc.boolean(), at: fc.integer({ min: now, max: now + 100_000 }) }).map(entry),
    fc.constant(entry({ limit: { until: now + 50_000 } })),
    fc
      .constantFrom<AgentState>('idle', 'working')
      .map((state): Signal => ({ from: 'stream', state, question: null, evidence: { source: 'stream' } })),
  )
  const after = (agent: Agent, change: Change, at: number): Agent => ({
    ...agent,
    state: change.state,
    question: change.question,
    until: change.until,
    evidence: change.evidence,
    since: agent.state === change.state ? agent.since : at,
  })
  const run = (start: Agent, signals: Signal[], stepMs: number): { agent: Agent; at: number; lastHookAt: number } => {
    let [agent, at, lastHookAt] = [start, now, 0]
    for (const signal of signals) {
      at += stepMs
      if (signal.from === 'hook') lastHookAt = at
      const change = next(agent, signal, { lastHookAt, answeredAt: 0, hasFirstPrompt: false }, at)
      if (change !== null) agent = after(agent, change, at)
    }
    return { agent, at, lastHookAt }
  }
  const terminals = fc.constantFrom('tmux' as const, 'pty' as const)

  test('an agent has a question only while it asks, and an end only while it is limited', () => {
    fc.assert(
      fc.property(terminals, fc.array(anySignal), fc.integer({ min: 1, max: 3000 }), (host, signals, stepMs) => {
        const { agent } = run(anAgent({ host, state: 'starting' }), signals, stepMs)
        expect(agent.question === null || isAsking(agent.state)).toBe(true)
        expect(agent.until === null || agent.state === 'limited').toBe(true)
      }),
    )
  })

  test('one that has ended stays so until it is launched', () => {
    const dead = agentStates.filter((state) => !isAlive(state))
    fc.assert(
      fc.property(fc.constantFrom(...dead), anySignal, (state, signal) => {
        expect(next(inTmux({ state }), signal, memory, now + 10_000)).toBeNull()
      }),
    )
  })

  test('it never sticks: an idle screen for long enough makes any living terminal agent idle, unless it is limited', () => {
    fc.assert(
      fc.property(terminals, fc.array(anySignal), (host, signals) => {
        const { agent, at, lastHookAt } = run(anAgent({ host, state: 'starting' }), signals, 700)
        const later = Math.max(at, agent.until ?? 0) + 10_000
        const change = next(agent, shows('idle'), { lastHookAt, answeredAt: 0, hasFirstPrompt: false }, later)
        expect(change === null ? agent.state : change.state).toBe('idle')
      }),
    )
  })
})
