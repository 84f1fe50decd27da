import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { anAgent } from '../../../test/support/builders.ts'
import type { Agent } from '../../contract/agent.ts'
import type { Notice } from '../../contract/notice.ts'
import { noticeEvent, Notices } from './notices.ts'

const question = { id: 'q1', kind: 'permission' as const, tool: 'Bash', input: { command: 'ls' }, summary: 'Bash: ls' }
const working = anAgent({ state: 'working' })

test.each([
  ['asks', { ...working, state: 'awaiting_permission' as const, question }, working],
  ['asks', anAgent({ state: 'awaiting_answer', question }), null],
  [null, anAgent({ question }), anAgent({ question, isPaused: true })],
  ['done', anAgent({ state: 'idle' }), working],
  [null, anAgent({ state: 'idle' }), anAgent({ state: 'starting' })],
  ['crashed', anAgent({ state: 'crashed' }), working],
  ['crashed', anAgent({ state: 'looping' }), anAgent({ state: 'crashed' })],
  ['limited', anAgent({ state: 'limited' }), working],
  [null, working, anAgent({ state: 'idle' })],
  [null, anAgent({ state: 'idle' }), null],
])('%s', (expected, agent, before) => {
  expect(noticeEvent(agent, before)).toBe(expected)
})

const start = (isWanted = true) => {
  const sent: { key: string; notice: Notice }[] = []
  let current: Agent = working
  const notices = new Notices({
    agents: () => [current],
    agent: () => current,
    isWanted: () => isWanted,
    send: async ({ key, notice }) => void sent.push({ key, notice }),
    now: () => 7,
    onTrouble: (cause) => expect.unreachable(String(cause)),
  })
  const become = (agent: Agent): void => {
    const before = current
    current = agent
    notices.onChange(agent, before)
  }
  return { sent, notices, become }
}

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

test('what lasts is told once, also by the next daemon', () => {
  const { sent, notices, become } = start()
  become(anAgent({ state: 'awaiting_permission', question }))
  expect(sent).toEqual([])
  vi.runAllTimers()
  const { handle, project } = working
  expect(sent.map(({ notice }) => notice)).toEqual([{ event: 'asks', handle, project, at: 7, what: 'Bash: ls' }])
  notices.start()
  vi.runAllTimers()
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
})

test('what is over at once is not told, nor anything that nobody wants to hear', () => {
  const quick = start()
  quick.become(anAgent({ state: 'awaiting_permission', question }))
  quick.become(working)
  quick.become(anAgent({ state: 'idle' }))
  quick.become(working)
  vi.runAllTimers()
  expect(quick.sent).toEqual([])
  const unwanted = start(false)
  unwanted.become(anAgent({ state: 'crashed' }))
  vi.runAllTimers()
  expect(unwanted.sent).toEqual([])
})
