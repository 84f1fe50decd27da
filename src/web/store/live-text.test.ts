import { expect, test } from 'vitest'
import { addLive, dropWritten, type LivePiece } from './live-text.ts'

const thinking = (text: string) => ({ kind: 'thinking', text }) as const
const text = (said: string) => ({ kind: 'text', text: said }) as const
const told = (...events: Parameters<typeof addLive>[1][]): readonly LivePiece[] =>
  events.reduce<readonly LivePiece[]>(addLive, [])

test('pieces of one block are one text', () => {
  expect(told(thinking('Let me '), thinking('see.'), text('I '), text('see.'))).toEqual([
    thinking('Let me see.'),
    text('I see.'),
  ])
})

test('a new prompt, the end of the turn and a gap leave nothing', () => {
  expect(told(text('old'), { kind: 'prompt', text: 'Next' })).toEqual([])
  expect(told(text('old'), { kind: 'gap', missed: 3 })).toEqual([])
  expect(told(text('old'), { kind: 'ended', reason: 'done', isError: false, wasInterrupted: false })).toEqual([])
})

test('what the log has is dropped, what came after it stays', () => {
  const pieces = told(thinking('hm'), text('First.'), thinking('so'), text('Sec'))
  expect(dropWritten(pieces, [{ type: 'thinking', thinking: 'hm' }])).toEqual(pieces.slice(1))
  expect(dropWritten(pieces, [{ type: 'text', text: 'First.' }])).toEqual(pieces.slice(2))
})

test('blocks that are never told live drop nothing', () => {
  const pieces = told(text('First.'))
  expect(dropWritten(pieces, [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }])).toEqual(pieces)
})
