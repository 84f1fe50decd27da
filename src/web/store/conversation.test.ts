import { beforeEach, describe, expect, test } from 'vitest'
import type { AnyRecord } from '../../contract/record.ts'
import type { FeedPage } from '../../contract/routes/feed.ts'
import { Conversation, mostRecords } from './conversation.ts'
import type { SentDirective } from './feed.ts'

const prompt = (seq: number): AnyRecord =>
  ({
    seq,
    topic: 'turns',
    type: 'turn.started',
    at: seq,
    body: { conversation: 'c', turn: `t${seq}`, prompt: 'Go.', entry: `e${seq}` },
  }) as unknown as AnyRecord
const prompts = (from: number, to: number): AnyRecord[] =>
  Array.from({ length: to - from + 1 }, (_, at) => prompt(from + at))

let asked: { before: number; resolve: (page: FeedPage) => void; reject: (cause: Error) => void }[]
let directives: SentDirective[]
let timers: (() => void)[]
let failures: unknown[]
let conversation: Conversation

const add = (...records: AnyRecord[]): void => {
  for (const record of records) conversation.onLine({ record })
}
/** What is shown by now; null: nothing yet. */
const shown = (): number[] | null => {
  for (const act of timers.splice(0)) act()
  return conversation.view.value?.rows.map(({ seq }) => seq) ?? null
}

beforeEach(() => {
  asked = []
  directives = []
  timers = []
  failures = []
  conversation = new Conversation({
    readPage: (before) => new Promise((resolve, reject) => asked.push({ before, resolve, reject })),
    readDirectives: async () => directives,
    after: (_ms, act) => {
      timers.push(act)
      return () => void timers.splice(timers.indexOf(act), 1)
    },
    onFailure: (cause) => failures.push(cause),
  })
})

describe('older parts', () => {
  test('are asked for once at a time, until there are none', async () => {
    conversation.onLine({ at: 'begin', position: 9 })
    add(...prompts(10, 11))
    const loaded = conversation.loadOlder()
    await conversation.loadOlder()
    expect(asked.map(({ before }) => before)).toEqual([10])
    asked[0]?.resolve({ records: prompts(8, 9), isFirst: true })
    await loaded
    await conversation.loadOlder()
    expect([shown(), asked.length]).toEqual([[8, 9, 10, 11], 1])
  })

  test('that were asked for before a gap are not joined to what came after it', async () => {
    conversation.onLine({ at: 'begin', position: 9 })
    add(...prompts(10, 11))
    const loaded = conversation.loadOlder()
    conversation.onLine({ at: 'gap', position: 49 })
    add(...prompts(50, 51))
    asked[0]?.resolve({ records: prompts(8, 9), isFirst: true })
    await loaded
    expect(shown()).toEqual([50, 51])
    expect(conversation.isWhole.value).toBe(false)
    asked[1]?.resolve({ records: prompts(48, 49), isFirst: false })
    await expect.poll(shown).toEqual([48, 49, 50, 51])
  })
})

describe('after a break', () => {
  test('it goes on from the position that was told, also where nothing came', () => {
    expect(conversation.resume).toEqual({})
    conversation.onLine({ at: 'begin', position: 9 })
    add(...prompts(10, 11))
    expect(conversation.resume).toEqual({ after: 11 })
    conversation.onLine({ at: 'gap', position: 80 })
    expect(conversation.resume).toEqual({ after: 80 })
    conversation.onLine({ at: 'resumed', position: 80 })
    expect(conversation.resume).toEqual({ after: 80 })
  })

  test('with a gap and nothing new, what is still kept is shown again', async () => {
    conversation.onLine({ at: 'begin', position: 9 })
    add(...prompts(10, 11))
    expect(shown()).toEqual([10, 11])
    conversation.onLine({ at: 'gap', position: 80 })
    expect(shown()).toEqual([10, 11])
    expect(asked.map(({ before }) => before)).toEqual([81])
    asked[0]?.resolve({ records: prompts(11, 11), isFirst: true })
    await expect.poll(shown).toEqual([11])
  })

  test('what cannot be read again is told, and the conversation goes on', async () => {
    conversation.onLine({ at: 'gap', position: 80 })
    asked[0]?.reject(new Error('No.'))
    await expect.poll(() => failures).toHaveLength(1)
    add(prompt(81))
    expect(shown()).toEqual([81])
  })
})

test.each(['begin', 'gap'] as const)('after a %s, what still waits is known without its records', async (at) => {
  const directive = { id: 'dir_1', acceptedAt: 1 } as SentDirective['directive']
  directives = [{ directive, state: 'queued', steps: [], seq: 0 }]
  conversation.onLine({ at, position: 9 })
  add(prompt(10))
  const pending = (): readonly string[] => {
    shown()
    return conversation.view.value?.pending ?? []
  }
  await expect.poll(pending).toEqual(['dir_1'])
})

test('only so many records are kept, and those that the reader has asked for', async () => {
  conversation.onLine({ at: 'begin', position: 10_000 })
  add(...prompts(10_001, 10_001 + mostRecords))
  expect(shown()?.length).toBe(mostRecords / 2)
  const loaded = conversation.loadOlder()
  asked[0]?.resolve({ records: prompts(1, mostRecords), isFirst: true })
  await loaded
  add(prompt(20_000))
  expect(shown()?.length).toBe(1.5 * mostRecords + 1)
})

describe('what it says now', () => {
  const text = (said: string) => ({ kind: 'text', text: said }) as const

  test('is not shown from the middle after it was opened again', () => {
    conversation.onLiveOpened()
    conversation.onLive({ kind: 'prompt', text: 'Go.' })
    conversation.onLive(text('Begin'))
    expect(conversation.live.value).toMatchObject([text('Begin')])
    conversation.onLiveOpened()
    conversation.onLive(text('dle.'))
    expect(conversation.live.value).toEqual([])
  })

  const reply = (seq: number, said: string): AnyRecord => {
    const body = { role: 'assistant', entry: `e${seq}`, blocks: [{ type: 'text', text: said }] }
    return { ...prompt(seq), type: 'turn.entry', body } as unknown as AnyRecord
  }

  test('is dropped as the log has it', () => {
    conversation.onLive({ kind: 'prompt', text: 'Go.' })
    conversation.onLive(text('Done.'))
    add(reply(1, 'Done.'))
    expect(conversation.live.value).toEqual([])
  })

  test('is not shown from the middle if its past comes after the first piece of it', () => {
    conversation.onLiveOpened()
    conversation.onLive(text('dle,'))
    add(reply(1, 'Long ago.'))
    conversation.onLive(text(' and on.'))
    expect(conversation.live.value).toEqual([])
  })
})
