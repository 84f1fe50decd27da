import { utimesSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { aCall, anAgent, aRecord, now, tempDir } from '../../../test/support/builders.ts'
import { startInbox } from '../../../test/support/inbox-harness.ts'
import type { Relaunch } from '../state/lifecycle.ts'
import type { Supervisor } from '../supervisor.ts'
import type { Agent } from '../../contract/agent.ts'
import { sayTo, withdraw } from '../../features/inbox/own-words.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import type { AnyNewRecord, RecordBody } from '../../contract/record.ts'
import { ContextWatch, type ContextWatchParts } from './context-watch.ts'
import { handoverPath } from './handover.ts'

beforeEach(() => {
  vi.useFakeTimers({ now })
  return () => vi.useRealTimers()
})

test('in a terminal the model that a conversation begins with says how much fits; a protocol says it itself', async () => {
  const named: unknown[] = []
  let agent = anAgent({ host: 'tmux' })
  const supervisor = {
    get: () => agent,
    agent: () => ({ current: { note: (...news: unknown[]) => named.push(news) } }),
  } as unknown as Supervisor
  const { responder } = new ContextWatch({ supervisor } as unknown as ContextWatchParts)
  const begin = (raw: unknown) => responder.respond(aCall({ event: 'session_start', raw }), 9000)
  await begin({ source: 'startup' })
  await begin({ source: 'startup', model: 'claude-opus-4-8[1m]' })
  expect(named).toEqual([['agent.model', { model: { name: 'claude-opus-4-8[1m]', window: null } }]])
  agent = anAgent({ host: 'stream' })
  await begin({ source: 'startup', model: 'claude-opus-4-8[1m]' })
  expect(named).toHaveLength(1)
})

const limits = { warnAt: 0.6, handoverAt: 0.7, rotateAt: 0.9 }

/** An idle agent with a window of 100 tokens, whose restarts are only written down. */
const start = () => {
  const { inbox } = startInbox()
  const records: AnyNewRecord[] = []
  const troubles: unknown[] = []
  const restarts: (string | undefined)[] = []
  const person = { isThere: false }
  const kept: string[] = []
  const task = { reminder: null as string | null }
  let agent = anAgent({ cwd: tempDir() })
  let watch: ContextWatch
  const supervisor = {
    get agents() {
      return [agent]
    },
    get: () => agent,
    agent: () => ({
      isInUse: async () => person.isThere,
      current: {
        note: (type: 'agent.context', body: RecordBody<'agent.context'>) => {
          const record = aRecord(type, body, { at: Date.now() })
          records.push(record)
          watch.onChange(agent)
        },
      },
    }),
    restart: async (_: string, { prompt }: Relaunch) => {
      restarts.push(prompt)
      agent = { ...agent, conversation: `fresh-${restarts.length}` }
      watch.onNewContext(agent)
    },
  } as unknown as Supervisor
  const open = (): void => {
    watch = new ContextWatch({
      supervisor,
      say: (...said) => sayTo(inbox, ...said),
      withdraw: (...said) => withdraw(inbox, ...said),
      journal: { write: (_: string, entry: unknown) => troubles.push(entry) },
      now: () => Date.now(),
      limits,
      setWindow: 100,
      records: () => records.map((record, index) => ({ ...record, seq: index + 1 })),
      handovers: { keep: async (_, text) => void kept.push(text), reminder: () => task.reminder },
    })
    watch.start()
    onTestFinished(() => watch.stop())
  }
  open()
  const reply = async (tokens: number): Promise<void> => {
    const usage = { inputTokens: tokens, outputTokens: 0, model: null }
    watch.onEntry(agent, { kind: 'assistant', isReply: true, usage } as ConversationEntry)
    watch.onRead(agent)
    await vi.advanceTimersByTimeAsync(0)
  }
  const handOver = (text: string): void => {
    const path = handoverPath(agent)
    writeFileSync(path, text)
    utimesSync(path, new Date(), new Date())
  }
  const change = (next: Partial<Agent>): void => {
    agent = { ...agent, ...next }
    watch.onChange(agent)
  }
  const compact = (): void => watch.onNewContext(agent)
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)
  const steps = (): string[] => records.map(({ body }) => (body as RecordBody<'agent.context'>).step)
  return { reply, handOver, change, compact, pass, steps, open, troubles, restarts, person, kept, task }
}

test('the handover of an agent that is at a task is kept there, and its fresh conversation is told of the task', async () => {
  const { reply, handOver, change, pass, restarts, kept, task } = start()
  task.reminder = 'You are an agent of the task parser.'
  change({ state: 'working' })
  await reply(75)
  handOver('Half of the parser is done.')
  change({ state: 'idle' })
  await pass(0)
  expect(kept).toEqual(['Half of the parser is done.'])
  expect(restarts).toEqual([expect.stringMatching(/^You are an agent of the task parser\.\n\n[^]*Half of the parser/)])
})

describe('a conversation that was compacted', () => {
  test('is warned about and asked for again, and an old handover is not its handover', async () => {
    const { reply, handOver, compact, pass, steps, restarts, change } = start()
    change({ state: 'working' })
    await reply(75)
    handOver('Old.')
    await pass(60)
    compact()
    await reply(65)
    await reply(75)
    change({ state: 'idle' })
    await pass(60)
    expect(steps()).toEqual(['handover', 'emptied', 'warn', 'handover'])
    expect(restarts).toEqual([])
    handOver('New.')
    change({})
    await pass(0)
    expect(restarts).toEqual([expect.stringContaining('New.')])
  })

  test('the next daemon knows that it was', async () => {
    const { reply, compact, open, steps, change } = start()
    change({ state: 'working' })
    await reply(75)
    compact()
    open()
    await reply(65)
    expect(steps()).toEqual(['handover', 'emptied', 'warn'])
    open()
    await reply(65)
    expect(steps()).toHaveLength(3)
  })

  test('so is one that was rewound, and nothing is noted twice', async () => {
    const { reply, steps } = start()
    await reply(65)
    await reply(10)
    await reply(10)
    await reply(65)
    expect(steps()).toEqual(['warn', 'emptied', 'warn'])
  })
})

describe('a fresh conversation', () => {
  test('that is full at once is left alone for ten minutes, and that is said once', async () => {
    const { reply, handOver, change, pass, restarts, troubles } = start()
    await reply(75)
    handOver('One.')
    change({})
    await pass(1)
    expect(restarts).toHaveLength(1)
    await reply(75)
    handOver('Two.')
    change({})
    change({})
    await pass(590)
    expect(restarts).toHaveLength(1)
    expect(troubles).toEqual([{ where: 'context', reason: expect.stringContaining('worker is full again') }])
    await pass(10)
    expect(restarts).toEqual([expect.stringContaining('One.'), expect.stringContaining('Two.')])
  })

  test('waits for the person who is at the old one', async () => {
    const { reply, handOver, change, pass, restarts, steps, person } = start()
    person.isThere = true
    await reply(75)
    handOver('Next: paint the gate.')
    change({})
    await pass(60)
    expect(steps()).toEqual(['handover'])
    person.isThere = false
    await pass(30)
    expect(restarts).toHaveLength(1)
  })

  test('is not begun when a turn began meanwhile', async () => {
    const { reply, handOver, change, pass, restarts } = start()
    await reply(75)
    handOver('Next: paint the gate.')
    change({})
    change({ state: 'working' })
    await pass(60)
    expect(restarts).toEqual([])
    change({ state: 'idle' })
    await pass(0)
    expect(restarts).toHaveLength(1)
  })
})
