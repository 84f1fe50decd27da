import { describe, expect, test } from 'vitest'
import { aRecord, anAgent, now } from '../../../test/support/builders.ts'
import type { Agent } from '../../contract/agent.ts'
import type { ConversationEntry, EntryKind } from '../../contract/conversation.ts'
import type { Evidence } from '../../contract/identity.ts'
import { canaryDelay, canaryMs, missedSkill, nextAttempt, recoveryText, startMs } from './healing.ts'

test('an agent that is woken in vain is woken again, then with what waits, then told everything, then left alone', () => {
  const attempts = (recoveryAfter: number) => [0, 1, 2, 3, 4, 5, 6].map((n) => nextAttempt(n, recoveryAfter))
  expect(attempts(5)).toEqual(['wake', 'wake', 'carry', 'carry', 'carry', 'recover', 'give_up'])
  expect(attempts(1).slice(0, 3)).toEqual(['wake', 'recover', 'give_up'])
})

describe('the canary', () => {
  const delay = (
    given: Partial<Agent> & Pick<Agent, 'state'>,
    source: Evidence['source'],
    hooksAtStart: boolean,
  ): number | null => {
    const record = aRecord('agent.state', { state: given.state, evidence: { source }, question: null })
    return canaryDelay(anAgent(given), record, hooksAtStart)
  }
  const launched = aRecord('agent.launched', {
    process: { pid: 1, startTime: '1' },
    launch: null,
    host: 'stream',
    version: '1',
    cwd: '/',
    program: null,
    conversation: null,
    transcript: null,
    request: { cwd: '/', env: {}, args: [] },
  })

  test('listens from the start where a hook is called at the start', () => {
    expect(canaryDelay(anAgent({ state: 'starting' }), launched, true)).toBe(startMs)
    expect(delay({ state: 'idle' }, 'screen', true)).toBe(canaryMs)
  })

  test('listens from the first prompt where none is', () => {
    expect(canaryDelay(anAgent({ state: 'starting' }), launched, false)).toBeNull()
    expect(delay({ state: 'idle' }, 'stream', false)).toBeNull()
    expect(delay({ state: 'working' }, 'stream', false)).toBe(canaryMs)
  })

  test('a busy screen of one that has nothing to do may only be loading', () => {
    expect(delay({ state: 'working' }, 'screen', false)).toBeNull()
    const request = { cwd: '/', prompt: 'Go.', env: {}, args: [] }
    expect(delay({ state: 'working', request }, 'screen', false)).toBe(canaryMs)
  })

  test('does not listen to one whose hooks are known, or that waits for somebody, or that is gone', () => {
    const health = { hooks: 'heard' as const, failures: 0, healed: 0 }
    expect(delay({ state: 'idle', health }, 'stream', true)).toBeNull()
    expect(delay({ state: 'awaiting_permission' }, 'screen', true)).toBeNull()
    expect(delay({ state: 'crashed' }, 'process', true)).toBeNull()
    expect(delay({ state: 'idle' }, 'hook', true)).toBeNull()
  })
})

describe('a lost skill', () => {
  const entry = (kind: EntryKind, text: string): ConversationEntry => ({
    id: 'e',
    parent: null,
    link: 'chain',
    kind,
    at: now,
    message: null,
    calledBy: null,
    isReply: kind === 'assistant',
    text,
    blocks: [],
    usage: null,
    raw: {},
  })

  test.each([
    ['other', 'Unknown command: /rein:rein-check-directives'],
    ['other', 'Unknown slash command: rein-check-tokens'],
    ['tool_result', '<tool_use_error>Unknown skill: rein:rein-check-directives</tool_use_error>'],
  ] as const)('is noticed: %s %s', (kind, text) => {
    expect(text).toContain(missedSkill(entry(kind, text)))
  })

  test("is noticed in a note of the CLI's own, which has no message", () => {
    const raw = { content: '<local-command-stdout>Unknown command: /rein:rein-check-tokens</local-command-stdout>' }
    expect(missedSkill({ ...entry('other', ''), raw })).toBe('Unknown command: /rein:rein-check-tokens')
  })

  test('is noticed where the command was handed to the model', () => {
    const note = (commandName: string) => ({ attachment: { type: 'unknown_command_fallback', commandName } })
    expect(missedSkill({ ...entry('other', ''), raw: note('rein:rein-gone') })).toContain('rein:rein-gone')
    expect(missedSkill({ ...entry('other', ''), raw: note('deploy') })).toBeNull()
  })

  test.each([
    ['other', 'Unknown command: /deploy'],
    ['assistant', 'Unknown command: /rein-check-tokens'],
    ['prompt', 'What does "Unknown skill: rein-check-tokens" mean?'],
  ] as const)('is not taken from anything else: %s %s', (kind, text) => {
    expect(missedSkill(entry(kind, text))).toBeNull()
  })
})

test('the recovery prompt leaves nothing to be looked up', () => {
  const skill = { path: 'skills/rein-check-directives/SKILL.md', content: '', executable: false }
  const hook = { path: 'rein-hook', content: '', executable: true }
  const text = recoveryText(
    'worker',
    '/state/bin/rein',
    { directory: '/plugins/claude-1', assets: [hook, skill] },
    null,
  )
  expect(text).toContain('"worker"')
  expect(text).toContain('/plugins/claude-1/skills/rein-check-directives/SKILL.md')
  expect(text).toContain('/state/bin/rein inbox')
  expect(text).not.toMatch(/rein-hook|chat send/)
})

test('the recovery prompt asks to say in the first room that it is back', () => {
  const text = recoveryText('worker', '/state/bin/rein', null, 'live')
  expect(text).toContain("`/state/bin/rein chat send live 'I am back.'`")
})
