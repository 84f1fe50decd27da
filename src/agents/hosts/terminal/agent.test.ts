import { expect, onTestFinished, test } from 'vitest'
import type { ScreenReading } from '../../../drivers/contract.ts'
import { processStartTime } from '../../../util/process.ts'
import { TerminalAgent } from './agent.ts'
import type { Condition } from './screen.ts'

const fine: Condition = { isDead: false, isScrolled: false, typedMsAgo: null }
const self = { pid: process.pid, startTime: processStartTime(process.pid) ?? '' }

const agentWith = (reading: ScreenReading, condition: Partial<Condition>): TerminalAgent => {
  const screen = {
    read: () => Promise.resolve(''),
    press: () => Promise.resolve(),
    paste: () => Promise.resolve(),
    condition: () => Promise.resolve({ ...fine, ...condition }),
    onChange: () => () => undefined,
    end: () => Promise.resolve(null),
  }
  const terminal = { read: () => reading, interrupt: { keys: [], pauseMs: 0 }, enterDelayMs: 0 }
  const parts = { terminal, waiters: (dir: string) => dir, quietMs: 30_000 }
  const agent = new TerminalAgent(self, '/none', screen, parts, () => undefined)
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
