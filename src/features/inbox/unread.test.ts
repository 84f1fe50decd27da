import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { agentRef, owner } from '../../../test/support/builders.ts'
import { startInbox } from '../../../test/support/inbox-harness.ts'
import { Transcript } from '../../../test/support/transcript.ts'
import { findFences } from './fence.ts'

const room = 9000
const long = 'x'.repeat(20_000)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A conversation that goes on, turn by turn, without a look at the rest of the text. */
const start = async (origin?: Parameters<ReturnType<typeof startInbox>['tell']>[1]) => {
  const parts = startInbox()
  const transcript = new Transcript()
  const { directive } = await parts.tell(long, origin)
  const turn = (): string[] => {
    const texts = parts.inbox.claimOffers(agentRef.id, 'prompt', 'context', room).map(({ text }) => text)
    transcript.prompt('Go on.')
    if (texts.length > 0) transcript.hookContext('UserPromptSubmit', ...texts)
    transcript.reply('Done.')
    parts.observe(transcript)
    return texts
  }
  return { ...parts, id: directive.id, transcript, turn }
}

const outside = { channel: 'phone', sender: 'eve', at: 1, claimedAt: null }

test.each([
  ['a directive', {}],
  ['a message from outside', { origin: outside, sender: { kind: 'channel', name: 'phone', sender: 'eve' } as const }],
])('%s whose rest is not read is shown twice, told of once, and then left alone', async (_, given) => {
  const { turn, receipt, id, inbox, item } = await start(given)
  const turns = Array.from({ length: 8 }, turn)
  expect(turns.map((texts) => texts.flatMap(findFences).length)).toEqual([1, 1, 0, 0, 0, 0, 0, 0])
  expect(turns.map((texts) => texts.length)).toEqual([1, 1, 1, 0, 0, 0, 0, 0])
  expect(turns[2]?.[0]).toContain(`rein inbox read ${id}`)
  expect(turns[2]?.[0]?.length).toBeLessThan(500)
  expect(receipt(id)).toMatchObject({
    state: 'held',
    steps: expect.arrayContaining([expect.objectContaining({ reason: 'unread' })]),
  })
  for (const point of ['batch', 'stop', 'prompt'] as const)
    expect(inbox.claimOffers(agentRef.id, point, 'context', room)).toEqual([])
  for (const reason of ['stop_limit', 'not_running', 'paused']) inbox.holdItem(item(id), reason)
  expect(inbox.claimOffers(agentRef.id, 'prompt', 'context', room)).toEqual([])
})

test('nobody is told of it again because it is not acknowledged', async () => {
  const { turn, receipt, id, inbox } = await start()
  Array.from({ length: 4 }, turn)
  vi.advanceTimersByTime(30 * 86_400_000)
  expect(receipt(id).state).toBe('held')
  expect(inbox.claimOffers(agentRef.id, 'prompt', 'context', room)).toEqual([])
})

test('when it is read after all, the receipt says so', async () => {
  const { turn, receipt, id, inbox, item, transcript, observe } = await start()
  Array.from({ length: 4 }, turn)
  transcript.call(`rein inbox read ${id}`)
  const { text, parts } = inbox.read(item(id), owner, null, 4)
  transcript.result(text)
  observe(transcript)
  expect([parts, receipt(id).state]).toEqual([[2, 3], 'placed'])
  transcript.reply('Understood.')
  observe(transcript)
  expect(receipt(id).state).toBe('seen')
})

test('what was read only in part is told of once more', async () => {
  const { turn, id, inbox, item } = await start()
  Array.from({ length: 4 }, turn)
  inbox.read(item(id), owner, 2, 1)
  expect(Array.from({ length: 4 }, turn).map((texts) => texts.length)).toEqual([1, 0, 0, 0])
})

test('a new conversation gets it again, and so does the next daemon what it was to get', async () => {
  const { turn, id, inbox, item, restarted, written } = await start()
  Array.from({ length: 4 }, turn)
  await written()
  expect(restarted().claimOffers(agentRef.id, 'prompt', 'context', room)).toEqual([])
  inbox.leaveContext(agentRef.id, 'left_context')
  expect(item(id).state).toBe('queued')
  expect(turn().flatMap(findFences)).toHaveLength(1)
})

test('a reminder that could not be handed over is not lost', async () => {
  const { turn, inbox } = await start()
  turn()
  turn()
  const offers = inbox.claimOffers(agentRef.id, 'prompt', 'prompt', room)
  expect(offers.map(({ isReminder }) => isReminder)).toEqual([true])
  inbox.takeBack(offers, 'draft')
  expect(turn()).toHaveLength(1)
})
