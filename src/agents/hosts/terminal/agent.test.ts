import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { HostEvent } from '../../../contract/host.ts'
import type { ScreenReading } from '../../../drivers/contract.ts'
import { processStartTime } from '../../../base/util/process.ts'
import { TerminalAgent } from './agent.ts'
import type { Condition } from './screen.ts'

const fine: Condition = { isDead: false, isScrolled: false, typedMsAgo: null }
const self = { pid: process.pid, startTime: processStartTime(process.pid) ?? '' }

const agentWith = (
  reading: ScreenReading,
  condition: Partial<Condition>,
  shown: () => string = () => '',
  on: (event: HostEvent) => void = () => undefined,
): TerminalAgent => {
  const screen = {
    read: () => Promise.resolve(shown()),
    press: () => Promise.resolve(),
    paste: () => Promise.resolve(),
    condition: () => Promise.resolve({ ...fine, ...condition }),
    onChange: () => () => undefined,
    end: () => Promise.resolve(null),
  }
  const terminal = { read: () => reading, interrupt: { keys: [], pauseMs: 0 }, enterDelayMs: 0 }
  const parts = { terminal, waiters: (dir: string) => dir, quietMs: 30_000, stillMs: 4000 }
  const agent = new TerminalAgent(self, '/none', screen, parts, on)
  onTestFinished(() => agent.release())
  return agent
}

test.each<[string, ScreenReading, Partial<Condition>, boolean]>([
  ['nobody is at', { kind: 'idle', draft: '' }, {}, false],
  ['somebody typed into long ago', { kind: 'idle', draft: '' }, { typedMsAgo: 30_000 }, false],
  ['nobody can read', { kind: 'unknown' }, {}, false],
  ['somebody types into', { kind: 'idle', draft: '' }, { typedMsAgo: 10 }, true],
  ['somebody has left a draft in', { kind: 'idle', draft: 'Please' }, {}, true],
  ['somebody scrolls in', { kind: 'idle', draft: '' }, { isScrolled: true }, true],
])('whether a terminal that %s is in use', async (_, reading, condition, isInUse) => {
  expect(await agentWith(reading, condition).isInUse()).toBe(isInUse)
})

describe('a screen that the driver does not understand', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const heard = async (shown: () => string): Promise<HostEvent[]> => {
    const events: HostEvent[] = []
    agentWith({ kind: 'unknown' }, {}, shown, (event) => events.push(event))
    await vi.advanceTimersByTimeAsync(10_000)
    return events
  }

  test('is a question once it has stood there for a while', async () => {
    const events = await heard(() => 'A new thing!\n\n❯ Try it\n  Not now\n\nEnter to confirm')
    expect(events[0]).toMatchObject({
      kind: 'state',
      state: 'awaiting_answer',
      question: {
        tool: 'unknown dialog',
        options: ['Try it', 'Not now'],
        input: { dialog: expect.stringContaining('A new thing!') },
      },
    })
  })

  test('is one also while a counter in it runs', async () => {
    let seconds = 0
    expect(await heard(() => `Waiting for your browser ${(seconds += 1)}s`)).not.toEqual([])
  })

  test('is none while it changes, or has an input box', async () => {
    let text = ''
    expect(await heard(() => (text += 'word '))).toEqual([])
    expect(await heard(() => '❯ \n\n  ? for help')).toEqual([])
  })
})
