import { expect, test } from 'vitest'
import { aDirective, now } from '../../test/builders.ts'
import { Transcript } from '../../test/transcript.ts'
import type { ReceiptState } from '../contract/directive.ts'
import { ConversationGraph } from '../drivers/conversation.ts'
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
  const sightings = new Sightings()
  write(transcript)
  for (const entry of transcript.entries) {
    graph.add(entry)
    sightings.index(entry)
  }
  return { look: (state: ReceiptState) => sightings.look(anItem(state), graph), entries: transcript.entries }
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
