import { expect, test, vi } from 'vitest'
import { aDirective, agentRef, now } from '../../../test/support/builders.ts'
import { Transcript } from '../../../test/support/transcript.ts'
import type { ReceiptState } from '../../contract/directive.ts'
import { ConversationGraph } from '../../drivers/conversation.ts'
import { renderPart } from './fence.ts'
import type { Item } from './receipt.ts'
import { Sightings } from './sightings.ts'

const anItem = (state: ReceiptState): Item => ({
  directive: aDirective(),
  seq: 1,
  state,
  steps: [],
  attempts: 1,
  offers: [{ part: 1, via: 'context' }],
  partCount: 1,
  offeredAt: now,
  seenAt: null,
})

const written = (write: (transcript: Transcript) => void) => {
  const transcript = new Transcript()
  const graph = new ConversationGraph()
  const sightings = new Sightings({ isOpen: () => true })
  write(transcript)
  for (const entry of transcript.entries) {
    graph.add(entry)
    sightings.onEntry(agentRef, entry)
  }
  return { look: (state: ReceiptState) => sightings.findSighting(anItem(state), graph), entries: transcript.entries }
}

test.each([
  ['offered', true],
  ['placed', true],
  ['held', true],
  ['seen', false],
] as const)('%s and there: the reply that has it behind it is looked for: %s', (state, isLookedFor) => {
  const { look, entries } = written((transcript) => {
    transcript.prompt('Go.')
    transcript.hookContext('UserPromptSubmit', renderPart(aDirective(), 1))
    transcript.reply('Yes.')
  })
  const [, context, reply] = entries
  expect(look(state)).toEqual({
    parts: new Map([[1, context?.id]]),
    descendant: isLookedFor ? reply?.id : null,
    repliedWithout: null,
  })
})

test.each(['offered', 'placed', 'seen'] as const)('%s and not there: the first reply since says so', (state) => {
  const { look, entries } = written((transcript) => {
    transcript.prompt('Go.')
    transcript.reply('Yes.')
    transcript.reply('Done.')
  })
  expect(look(state)).toEqual({ parts: new Map(), descendant: null, repliedWithout: entries[1]?.id })
})

const entryWith = (fence: string) => {
  const transcript = new Transcript()
  transcript.hookContext('UserPromptSubmit', fence)
  return transcript.entries
}

test('of what is closed, before it is read or after it, no place is kept', () => {
  const [open, closed, later] = [
    aDirective({ id: 'dir_open' }),
    aDirective({ id: 'dir_closed' }),
    aDirective({ id: 'dir_later' }),
  ]
  const isOpen = vi.fn<(id: string) => boolean>((id) => id !== closed.id)
  const sightings = new Sightings({ isOpen: (_, id) => isOpen(id) })
  for (const one of [open, closed, later])
    entryWith(renderPart(one, 1)).forEach((entry) => sightings.onEntry(agentRef, entry))
  isOpen.mockImplementation((id) => id === open.id)
  sightings.prune(agentRef.id)
  isOpen.mockClear()
  sightings.prune(agentRef.id)
  expect(isOpen.mock.calls).toEqual([[open.id]])
})

test('a conversation that is read again from its beginning has each place once', () => {
  const sightings = new Sightings({ isOpen: () => true })
  const entries = entryWith(renderPart(aDirective(), 1))
  for (let reading = 0; reading < 100; reading += 1) entries.forEach((entry) => sightings.onEntry(agentRef, entry))
  const present = { has: vi.fn<() => boolean>(() => true) }
  const graph = new ConversationGraph()
  vi.spyOn(graph, 'present').mockReturnValue(present as unknown as ReadonlySet<string>)
  expect(sightings.findSighting(anItem('seen'), graph).parts).toEqual(new Map([[1, entries[0]?.id]]))
  expect(present.has).toHaveBeenCalledTimes(1)
})
