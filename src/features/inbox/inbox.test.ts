import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { agentRef, owner, person, stranger } from '../../../test/support/builders.ts'
import { newDirective, startInbox } from '../../../test/support/inbox-harness.ts'
import { Transcript } from '../../../test/support/transcript.ts'
import type { Actor } from '../../contract/identity.ts'
import type { Item } from './receipt.ts'

const room = 9000
const said = { source: 'command' as const, detail: 'rein ack' }
const refusal = (code: string) => expect.objectContaining({ code })
const id = 'dir_00000000-0000-7000-8000-000000000001'
const year = 365 * 24 * 60 * 60 * 1000
const ids = (items: { item: Item }[]): string[] => items.map(({ item }) => item.directive.text)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('accepting', () => {
  test('what is accepted is in the log first, and waits', async () => {
    const { tell, records, inbox, stored } = startInbox()
    const { directive, state } = await tell('Do it.')
    expect(state).toBe('queued')
    expect(records).toMatchObject([{ type: 'directive.accepted', id: directive.id, actor: person, agent: agentRef.id }])
    expect(stored.get(directive.id)?.directive).toEqual(directive)
    expect(inbox.openItems(agentRef.id)).toHaveLength(1)
    expect(inbox.openCount).toBe(1)
  })

  test('the same id again is the same directive', async () => {
    const { tell, records, inbox } = startInbox()
    const first = await tell('Do it.', { id })
    expect((await tell('Do it.', { id })).directive).toEqual(first.directive)
    expect(records).toHaveLength(1)
    expect(inbox.openCount).toBe(1)
  })

  test('the same id twice at once is one directive, told of once', async () => {
    const { tell, records, steps, inbox } = startInbox()
    const [first, second] = await Promise.all([tell('Do it.', { id }), tell('Do it.', { id })])
    expect(second).toEqual(first)
    expect(records).toHaveLength(1)
    expect(steps).toEqual(['accepted'])
    expect(inbox.openItems(agentRef.id).map(({ directive }) => directive.nonce)).toEqual([first?.directive.nonce])
  })

  test('the same id for something else is refused, also at once, also for another agent', async () => {
    const { tell, inbox } = startInbox()
    const other = { ...agentRef, id: 'agt_2', handle: 'other' }
    const first = tell('Do it.', { id })
    await expect(tell('Do that.', { id })).rejects.toEqual(refusal('refused'))
    await expect(tell('Do it.', { id, agent: other })).rejects.toEqual(refusal('refused'))
    await first
    await expect(tell('Do that.', { id })).rejects.toEqual(refusal('refused'))
    await expect(tell('Do it.', { id, agent: other })).rejects.toEqual(refusal('refused'))
    expect(inbox.openItems('agt_2')).toEqual([])
  })

  test('the same id again after it was closed is what became of it', async () => {
    const { tell, inbox, item } = startInbox()
    await tell('Do it.', { id })
    await inbox.ack(item(id), owner, undefined, said)
    expect((await tell('Do it.', { id })).state).toBe('acked')
    expect(inbox.openCount).toBe(0)
  })

  test.each([
    ['empty_text', ''],
    ['empty_text', ' \n\t '],
    ['invalid_text', 'half a pair \ud83d'],
    ['text_too_large', 'ä'.repeat(60)],
  ])('%s', async (code, text) => {
    const { tell, records, inbox } = startInbox({ maxTextBytes: 100 })
    await expect(tell(text)).rejects.toEqual(refusal(code))
    expect(records).toEqual([])
    expect(inbox.openCount).toBe(0)
  })

  test('the size is counted in bytes', async () => {
    const { tell } = startInbox({ maxTextBytes: 100 })
    expect((await tell('ä'.repeat(50))).state).toBe('queued')
  })

  test('one more than the limit is refused, also when they come at once; other agents have their own', async () => {
    const { tell, inbox, item } = startInbox({ maxOpen: 3 })
    const settled = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((text) => tell(text)))
    expect(settled.map(({ status }) => status)).toEqual([...Array(3).fill('fulfilled'), ...Array(2).fill('rejected')])
    expect(settled[3]).toMatchObject({ reason: { code: 'inbox_full' } })
    const other = { ...agentRef, id: 'agt_2', handle: 'other' }
    await expect(tell('x', { agent: other })).resolves.toMatchObject({ state: 'queued' })
    const [first] = inbox.openItems(agentRef.id)
    await inbox.cancel(item(first?.directive.id ?? ''), person)
    await expect(tell('f')).resolves.toMatchObject({ state: 'queued' })
  })

  test('each kind of sender has its own room, and each agent: nobody takes that of a person', async () => {
    const { tell, restarted } = startInbox({ maxOpen: 2, maxOpenOfAgent: 3 })
    const flooder: Actor = { kind: 'agent', id: 'agt_3', handle: 'flooder' }
    const channel = { kind: 'channel' as const, name: 'ci', sender: null }
    const shares: [Actor, number, string][] = [
      [flooder, 3, 'worker has 3 open directives from flooder already (inbox.agent_limit).'],
      [stranger, 3, 'worker has 3 open directives from other already (inbox.agent_limit).'],
      [channel, 2, 'worker has 2 open directives from channels already (inbox.limit).'],
      [{ kind: 'daemon' }, 2, 'worker has 2 open directives from Rein already (inbox.limit).'],
      [person, 2, 'worker has 2 open directives from people already (inbox.limit).'],
    ]
    for (const [sender, limit, message] of shares) {
      for (let n = 0; n < limit; n += 1) await tell(`${sender.kind} ${n}`, { sender })
      await expect(tell('one more', { sender })).rejects.toMatchObject({ code: 'inbox_full', message })
    }
    const again = restarted()
    await expect(again.accept(newDirective('more', { sender: flooder }))).rejects.toEqual(refusal('inbox_full'))
  })

  test('what cannot be written is not accepted, and nothing is remembered of it', async () => {
    const { tell, disk, inbox, steps } = startInbox({ maxOpen: 1 })
    disk.failure = new Error('disk full')
    await expect(Promise.all([tell('Do it.', { id }), tell('Do it.', { id })])).rejects.toThrow('disk full')
    expect(inbox.openCount).toBe(0)
    expect(inbox.claimOffers(agentRef.id, 'prompt', 'context', room)).toEqual([])
    expect(steps).toEqual([])
    disk.failure = null
    await expect(tell('Do it.', { id })).resolves.toMatchObject({ state: 'queued' })
  })

  test('after a restart everything open is there, as it was', async () => {
    const { tell, inbox, restarted, written } = startInbox()
    await tell('a')
    await tell('b', { priority: 'high' })
    inbox.claimOffers(agentRef.id, 'batch', 'context', room)
    await written()
    const states = (items: Item[]) => items.map(({ directive, state }) => [directive.text, state])
    expect(states(restarted().openItems(agentRef.id))).toEqual(states(inbox.openItems(agentRef.id)))
  })
})

describe('offering', () => {
  test('what is taken is taken: parallel hooks show it once', async () => {
    const { tell, inbox } = startInbox()
    await tell('a')
    await tell('b', { priority: 'high' })
    expect(ids(inbox.claimOffers(agentRef.id, 'batch', 'context', room))).toEqual(['b', 'a'])
    expect(inbox.claimOffers(agentRef.id, 'batch', 'context', room)).toEqual([])
    expect(inbox.claimOffers(agentRef.id, 'stop', 'feedback', room)).toEqual([])
  })

  test('what nothing confirmed comes again with the next prompt, as the next attempt', async () => {
    const { tell, inbox, receipt } = startInbox()
    const { directive } = await tell('a')
    inbox.claimOffers(agentRef.id, 'batch', 'context', room)
    expect(ids(inbox.claimOffers(agentRef.id, 'prompt', 'context', room))).toEqual(['a'])
    expect(receipt(directive.id).steps.map(({ attempt }) => attempt)).toEqual([undefined, 1, 2])
  })

  test('of other agents nothing is shown', async () => {
    const { tell, inbox } = startInbox()
    await tell('a')
    expect(inbox.claimOffers('agt_2', 'prompt', 'context', room)).toEqual([])
  })

  test('an offer that could not be written down is still an offer', async () => {
    const { tell, inbox, disk, item } = startInbox()
    const { directive } = await tell('a')
    disk.failure = new Error('disk full')
    expect(inbox.claimOffers(agentRef.id, 'batch', 'context', room)).toHaveLength(1)
    expect(item(directive.id).state).toBe('offered')
  })

  test('held while queued, with the newest reason once; held is offered like queued', async () => {
    const { tell, inbox, item, records, written } = startInbox()
    const { directive } = await tell('a')
    for (const reason of ['not_running', 'not_running', 'stop_limit']) inbox.holdItem(item(directive.id), reason)
    await written()
    expect(records.filter(({ type }) => type === 'directive.held')).toHaveLength(2)
    expect(inbox.claimOffers(agentRef.id, 'batch', 'context', room)).toHaveLength(1)
    inbox.holdItem(item(directive.id), 'not_running')
    expect(item(directive.id).state).toBe('offered')
  })

  test('a new context takes out what was in the old one', async () => {
    const { tell, inbox, item } = startInbox()
    const { directive: a } = await tell('a')
    inbox.claimOffers(agentRef.id, 'batch', 'context', room)
    const { directive: b } = await tell('b')
    inbox.leaveContext(agentRef.id, 'left_context')
    inbox.leaveContext(agentRef.id, 'left_context')
    expect(item(a.id)).toMatchObject({ state: 'queued', offers: [] })
    expect(item(a.id).steps.map(({ state }) => state)).toEqual(['queued', 'offered', 'queued'])
    expect(item(b.id).steps).toHaveLength(1)
  })
})

describe('reading', () => {
  const long = 'x'.repeat(35_000)

  test('others get the text as it is, and that proves nothing', async () => {
    const { tell, inbox, item } = startInbox()
    const { directive } = await tell(long)
    for (const reader of [person, stranger])
      expect(inbox.read(item(directive.id), reader, null, 2)).toEqual({
        parts: [1, 2, 3, 4, 5],
        partCount: 5,
        text: long,
      })
    expect(item(directive.id).state).toBe('queued')
  })

  test('its own agent gets it part by part, each once, and is told how to go on', async () => {
    const { tell, inbox, item } = startInbox()
    const { directive } = await tell(long)
    inbox.claimOffers(agentRef.id, 'batch', 'context', room)
    const first = inbox.read(item(directive.id), owner, null, 2)
    expect(first).toMatchObject({ parts: [2, 3], partCount: 5 })
    expect(first.text.split('\n').at(-1)).toMatch(new RegExp(`rein inbox read ${directive.id}$`))
    const second = inbox.read(item(directive.id), owner, null, 2)
    expect(second.parts).toEqual([4, 5])
    expect(second.text).not.toContain('rein inbox read')
    expect(item(directive.id).offers.map(({ part }) => part)).toEqual([1, 2, 3, 4, 5])
  })

  test('read once more from the beginning, every hint leads on to the end', async () => {
    const { tell, inbox, item } = startInbox()
    const { directive } = await tell(long)
    for (const part of [1, 2, 3, 4, 5]) inbox.read(item(directive.id), owner, part, 2)
    const seen: number[] = []
    for (let part: number | null | undefined = null; part !== undefined; ) {
      const { parts, text } = inbox.read(item(directive.id), owner, part, 2)
      seen.push(...parts)
      const next = /rein inbox read \S+ --part (\d+)$/.exec(text)?.[1]
      part = next === undefined ? undefined : Number(next)
    }
    expect(seen).toEqual([1, 2, 3, 4, 5])
  })

  test('a part that there is not', async () => {
    const { tell, inbox, item } = startInbox()
    const { directive } = await tell('short')
    expect(() => inbox.read(item(directive.id), owner, 2, 2)).toThrow(refusal('usage'))
  })

  test('reading what is confirmed or closed already changes nothing', async () => {
    const { tell, inbox, item } = startInbox()
    const { directive } = await tell('short')
    await inbox.ack(item(directive.id), owner, undefined, said)
    expect(inbox.read(item(directive.id), owner, null, 2)).toMatchObject({ parts: [1] })
    expect(item(directive.id).state).toBe('acked')
  })
})

describe('closing', () => {
  test('the agent it was for acknowledges it; so may a person', async () => {
    const { tell, inbox, item, receipt } = startInbox()
    const { directive: a } = await tell('a')
    const { directive: b } = await tell('b')
    await inbox.ack(item(a.id), owner, 'understood', said)
    await inbox.ack(item(b.id), person, undefined, said)
    expect(receipt(a.id).steps.at(-1)).toMatchObject({ state: 'acked', note: 'understood', evidence: said })
    expect(inbox.openCount).toBe(0)
  })

  test('another agent may not', async () => {
    const { tell, inbox, item } = startInbox()
    const { directive } = await tell('a')
    await expect(inbox.ack(item(directive.id), stranger, undefined, said)).rejects.toEqual(refusal('wrong_agent'))
    expect(item(directive.id).state).toBe('queued')
  })

  test('acknowledged twice, one after the other or at once, is acknowledged once', async () => {
    const { tell, inbox, item, stored } = startInbox()
    const { directive } = await tell('a')
    const open = item(directive.id)
    const both = await Promise.all([inbox.ack(open, owner, '1', said), inbox.ack(open, owner, '2', said)])
    expect(both.map(({ state }) => state)).toEqual(['acked', 'acked'])
    expect((await inbox.ack(item(directive.id), owner, '3', said)).steps.at(-1)?.note).toBe('1')
    expect(stored.get(directive.id)?.steps.filter(({ state }) => state === 'acked')).toHaveLength(1)
  })

  test('of a withdrawal and an acknowledgement at once the first counts, and the other is told', async () => {
    const { tell, inbox, item } = startInbox()
    const { directive } = await tell('a')
    const open = item(directive.id)
    const [cancelled, acked] = await Promise.allSettled([inbox.cancel(open, person), inbox.ack(open, owner, '', said)])
    expect(cancelled).toMatchObject({ status: 'fulfilled', value: { state: 'cancelled' } })
    expect(acked).toMatchObject({ status: 'rejected', reason: { code: 'already_closed' } })
    await expect(inbox.cancel(item(directive.id), person)).rejects.toEqual(refusal('already_closed'))
  })

  test('what cannot be written is not acknowledged', async () => {
    const { tell, inbox, item, disk } = startInbox()
    const { directive } = await tell('a')
    disk.failure = new Error('disk full')
    await expect(inbox.ack(item(directive.id), owner, '', said)).rejects.toThrow('disk full')
    expect(item(directive.id).state).toBe('queued')
  })
})

describe('time', () => {
  test('it expires when its time is up, and cannot be acknowledged then', async () => {
    const { tell, inbox, item, clock, written } = startInbox()
    const { directive } = await tell('a', { expiresInMs: 60_000 })
    vi.advanceTimersByTime(59_999)
    expect(item(directive.id).state).toBe('queued')
    vi.advanceTimersByTime(1)
    expect(inbox.openCount).toBe(0)
    clock.now += 60_000
    await written()
    expect(item(directive.id).state).toBe('expired')
    await expect(inbox.ack(item(directive.id), owner, '', said)).rejects.toEqual(refusal('already_closed'))
  })

  test.each([year, -year])('a wall clock that jumps by %d ms makes nothing expire earlier or later', async (jump) => {
    const { tell, inbox, clock, item } = startInbox()
    const { directive } = await tell('a', { expiresInMs: 60_000 })
    clock.now += jump
    inbox.claimOffers(agentRef.id, 'batch', 'context', room)
    vi.advanceTimersByTime(59_000)
    expect(item(directive.id).state).toBe('offered')
    vi.advanceTimersByTime(1000)
    expect(inbox.openCount).toBe(0)
  })

  test('longer than any timer can wait', async () => {
    const { tell, inbox } = startInbox()
    await tell('a', { expiresInMs: year })
    vi.advanceTimersByTime(year - 1)
    expect(inbox.openCount).toBe(1)
    vi.advanceTimersByTime(1)
    expect(inbox.openCount).toBe(0)
  })

  test('what expired while no daemon was running expires at the start', async () => {
    const { tell, clock, restarted } = startInbox()
    await tell('a', { expiresInMs: 60_000 })
    clock.now += 60_001
    const inbox = restarted()
    vi.advanceTimersByTime(1)
    expect(inbox.openCount).toBe(0)
  })

  test('not acknowledged in time it comes again; the patience doubles with each attempt', async () => {
    const { tell, inbox, item } = startInbox({ ackDeadlineMs: 1000 })
    const { directive } = await tell('a')
    for (const patience of [1000, 2000, 4000, 8000]) {
      expect(inbox.claimOffers(agentRef.id, 'batch', 'context', room)).toHaveLength(1)
      vi.advanceTimersByTime(patience - 1)
      expect(item(directive.id).state).toBe('offered')
      vi.advanceTimersByTime(1)
      expect(item(directive.id)).toMatchObject({ state: 'queued' })
      expect(item(directive.id).steps.at(-1)?.reason).toBe('ack_overdue')
    }
  })

  test('acknowledgements that are due at about the same time are asked for together', async () => {
    const { tell, inbox, item } = startInbox({ ackDeadlineMs: 1000 })
    const told: string[] = []
    for (const passed of [0, 90, 60]) {
      vi.advanceTimersByTime(passed)
      told.push((await tell('a')).directive.id)
      inbox.claimOffers(agentRef.id, 'batch', 'context', room)
    }
    vi.advanceTimersByTime(850)
    expect(told.map((one) => item(one).state)).toEqual(['queued', 'queued', 'offered'])
  })

  test('a deadline ends with the acknowledgement', async () => {
    const { tell, inbox, item, steps } = startInbox({ ackDeadlineMs: 1000 })
    const { directive } = await tell('a', { expiresInMs: 5000 })
    inbox.claimOffers(agentRef.id, 'batch', 'context', room)
    await inbox.ack(item(directive.id), owner, '', said)
    vi.advanceTimersByTime(10_000)
    expect(steps).toEqual(['accepted', 'offered', 'acked'])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('with the end of its agent everything in it ends, with the reason', async () => {
    const { tell, inbox, item, receipt, written } = startInbox()
    const shown = await tell('One.')
    inbox.claimOffers(agentRef.id, 'batch', 'context', room)
    const waiting = await tell('Two.')
    inbox.end(agentRef.id, 'run_ended')
    await written()
    expect(inbox.openItems(agentRef.id)).toEqual([])
    for (const { directive } of [shown, waiting])
      expect(receipt(directive.id).steps.at(-1)).toMatchObject({ state: 'failed', reason: 'run_ended' })
    await expect(inbox.ack(item(shown.directive.id), owner, '', said)).rejects.toMatchObject({ code: 'already_closed' })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a stopped inbox has no timers', async () => {
    const { tell, inbox } = startInbox()
    await tell('a', { expiresInMs: 5000 })
    inbox.claimOffers(agentRef.id, 'batch', 'context', room)
    inbox.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('evidence', () => {
  test('from offered to seen by the conversation alone, written down in this order', async () => {
    const { tell, inbox, observe, records, receipt, written } = startInbox()
    const { directive } = await tell('a')
    const [offer] = inbox.claimOffers(agentRef.id, 'batch', 'context', room)
    const transcript = new Transcript()
    transcript.prompt('Work.')
    observe(transcript)
    expect(receipt(directive.id).state).toBe('offered')
    const entry = transcript.hookContext('PostToolBatch', offer?.text ?? '')
    observe(transcript)
    expect(receipt(directive.id).state).toBe('placed')
    const descendant = transcript.reply('Fine.')
    observe(transcript)
    observe(transcript)
    await written()
    expect(records.map(({ type }) => type)).toEqual(
      ['accepted', 'offered', 'placed', 'seen'].map((t) => `directive.${t}`),
    )
    expect(receipt(directive.id).steps.at(-1)?.evidence).toMatchObject({ entry, descendant })
  })

  test('after an API error it is not seen, and comes again with the next prompt', async () => {
    const { tell, inbox, observe, receipt } = startInbox()
    const { directive } = await tell('a')
    const transcript = new Transcript()
    transcript.prompt('Work.')
    transcript.hookContext('UserPromptSubmit', inbox.claimOffers(agentRef.id, 'prompt', 'context', room)[0]?.text ?? '')
    transcript.apiError('API Error: 529')
    observe(transcript)
    expect(receipt(directive.id).state).toBe('placed')
    expect(inbox.claimOffers(agentRef.id, 'prompt', 'context', room)).toHaveLength(1)
  })

  test('seen, then compacted: it left the context and waits again', async () => {
    const { tell, inbox, observe, receipt } = startInbox()
    const { directive } = await tell('a')
    const transcript = new Transcript()
    transcript.hookContext('UserPromptSubmit', inbox.claimOffers(agentRef.id, 'prompt', 'context', room)[0]?.text ?? '')
    transcript.reply('Fine.')
    observe(transcript)
    expect(receipt(directive.id).state).toBe('seen')
    transcript.compaction('What was said.')
    observe(transcript)
    expect(receipt(directive.id)).toMatchObject({ state: 'queued' })
    expect(receipt(directive.id).steps.at(-1)?.reason).toBe('left_context')
  })

  test('the model answered without it: the offer was lost, and it waits again', async () => {
    const { tell, inbox, observe, receipt, clock } = startInbox()
    const { directive } = await tell('a')
    const transcript = new Transcript()
    transcript.prompt('Work.')
    clock.now = transcript.at
    inbox.claimOffers(agentRef.id, 'batch', 'context', room)
    observe(transcript)
    expect(receipt(directive.id).state).toBe('offered')
    transcript.reply('Done.')
    observe(transcript)
    expect(receipt(directive.id).steps.at(-1)).toMatchObject({ state: 'queued', reason: 'evidence_missing' })
  })
})
