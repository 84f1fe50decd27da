import { describe, expect, test } from 'vitest'
import { recording } from '../../../test/support/builders.ts'
import { hookEvents, minVersion } from './capabilities.ts'
import { decode } from './decode.ts'

interface Recorded {
  event: string
  stdin: Record<string, unknown>
}

const recorded = recording('hook-calls').map((line) => JSON.parse(line) as Recorded)
const meta = (native: string) => ({ native, agent: 'agt_1', pid: 42, conversation: 'from-env' })
const called = (native: string, match: (stdin: Recorded['stdin']) => boolean = () => true) => {
  const found = recorded.find(({ event, stdin }) => event === native && match(stdin))
  if (found === undefined) throw new Error(`${native} was not recorded.`)
  return decode(found.stdin, meta(native))
}

test.each([
  ['SessionStart', 'session_start'],
  ['UserPromptSubmit', 'prompt'],
  ['PreToolUse', 'before_tool'],
  ['PostToolUse', 'after_tool'],
  ['PostToolUseFailure', 'after_tool'],
  ['PostToolBatch', 'after_batch'],
  ['PermissionRequest', 'permission'],
  ['Stop', 'stop'],
  ['StopFailure', 'stop_failed'],
  ['SubagentStart', 'subagent_start'],
  ['SubagentStop', 'subagent_stop'],
  ['PreCompact', 'before_compact'],
  ['PostCompact', 'after_compact'],
  ['SessionEnd', 'session_end'],
  ['Notification', 'notification'],
  ['MessageDisplay', 'other'],
])('%s is %s', (native, event) => {
  expect(called(native)).toMatchObject({ event, native, driver: 'claude', agent: 'agt_1', pid: 42 })
})

test.each([minVersion, '2.1.197'])('what %s is asked to call is understood', (version) => {
  for (const native of hookEvents(version)) expect(decode({}, meta(native)).event).not.toBe('other')
})

test.each(recorded.map((one) => [one.event, one.stdin] as const))(
  'every recorded call says where it comes from: %s',
  (event, stdin) => {
    const call = decode(stdin, meta(event))
    expect(call.conversation).toBe(stdin['session_id'])
    expect(call.transcript).toBe(stdin['transcript_path'])
    expect(call.cwd).toBe(stdin['cwd'])
    expect(call.raw).toBe(stdin)
  },
)

describe('what it says', () => {
  test('the prompt', () => {
    expect(called('UserPromptSubmit').prompt).toContain('RUN:')
  })

  test('why a conversation starts, is compacted or ends', () => {
    expect(called('SessionStart').source).toBe('startup')
    expect(called('SessionStart', ({ source }) => source === 'compact').source).toBe('compact')
    expect(called('PreCompact').source).toBe('manual')
    expect(called('SessionEnd').source).toBe('other')
  })

  test('one tool, or all tools of a batch, with what came of them', () => {
    expect(called('PreToolUse').tools).toMatchObject([{ name: 'Bash', input: { command: expect.any(String) } }])
    expect(called('PreToolUse').tools[0]).not.toHaveProperty('response')
    expect(called('PostToolBatch').tools).toMatchObject([{ name: 'Bash', response: 'hi-from-bash' }])
    expect(called('PostToolUseFailure').tools).toMatchObject([{ name: 'Bash', response: 'Exit code 1' }])
    expect(called('Stop').tools).toEqual([])
  })

  test("a sub-agent's calls are its own; its start and stop are its leader's", () => {
    const isSub = ({ agent_id }: Record<string, unknown>) => agent_id !== undefined
    for (const native of ['PreToolUse', 'PostToolUse', 'PostToolBatch'])
      expect(called(native, isSub).subagent).toMatchObject({ type: 'general-purpose' })
    expect(called('SubagentStart').subagent).toBeNull()
    expect(called('SubagentStop').subagent).toBeNull()
    expect(called('PostToolBatch').subagent).toBeNull()
  })

  test.each([
    ['Bash', 'permission'],
    ['AskUserQuestion', 'question'],
    ['ExitPlanMode', 'plan'],
  ])('what a person is asked: %s is a %s', (tool, kind) => {
    const call = called('PermissionRequest', ({ tool_name }) => tool_name === tool)
    expect(call.question).toMatchObject({ kind, tool, summary: expect.stringMatching(/\S/) })
    expect(called('PreToolUse').question).toBeNull()
  })
})

test.each(['FutureEvent', 'constructor', '__proto__', ''])(
  'an event that nobody knows (%s) passes through',
  (native) => {
    const payload = { session_id: 's', novel: { deep: true } }
    expect(decode(payload, meta(native))).toMatchObject({ event: 'other', native, conversation: 's', raw: payload })
  },
)

test.each([null, undefined, 'text', 42, [], { session_id: 5, tool_calls: 'no', tool_input: [] }])(
  'nonsense (%j) is a call that says nothing',
  (payload) => {
    const call = decode(payload, meta('Stop'))
    expect(call).toMatchObject({ event: 'stop', conversation: 'from-env', transcript: null, tools: [], prompt: null })
    expect(call.raw).toBe(payload)
  },
)
