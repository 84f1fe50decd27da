import { expect, test } from 'vitest'
import type { LiveEvent } from '../../contract/live.ts'
import { addLive, dropWritten, type LivePiece, type LiveText, piecesOf, tornLive } from './live-text.ts'

const thinking = (text: string) => ({ kind: 'thinking', text }) as const
const text = (said: string) => ({ kind: 'text', text: said }) as const
const prompt = { kind: 'prompt', text: 'Next' } as const
const reply = { kind: 'reply', told: 'begin' } as const
const gap = { kind: 'gap', missed: 3 } as const
const tool = { kind: 'tool', id: 't', name: 'Bash', input: {}, isSubagent: false } as const
const live = (...events: LiveEvent[]): LiveText => events.reduce(addLive, tornLive)
const told = (...events: LiveEvent[]): LivePiece[] => shown(live(...events))
const shown = (state: LiveText): LivePiece[] => piecesOf(state).map(({ kind, text: said }) => ({ kind, text: said }))

test('pieces of one block are one text', () => {
  expect(told(prompt, thinking('Let me '), thinking('see.'), text('I '), text('see.'))).toEqual([
    thinking('Let me see.'),
    text('I see.'),
  ])
})

test('a new prompt, the end of the turn and a gap leave nothing', () => {
  expect(told(prompt, text('old'), prompt)).toEqual([])
  expect(told(prompt, text('old'), gap)).toEqual([])
  expect(told(prompt, text('old'), { kind: 'ended', reason: 'done', isError: false, wasInterrupted: false })).toEqual(
    [],
  )
})

test('a tool and a reply begin a new block, the tool of a sub-agent does not', () => {
  expect(told(prompt, text('Now.'), tool, text('Then.'))).toEqual([text('Now.'), text('Then.')])
  expect(told(prompt, text('Now.'), reply, text('Then.'))).toEqual([text('Now.'), text('Then.')])
  expect(told(prompt, text('Now '), { ...tool, isSubagent: true }, text('then.'))).toEqual([text('Now then.')])
})

test('a block whose beginning is missing is not shown, and the next one is', () => {
  expect(told(text('dle of it.'), text(' And on.'))).toEqual([])
  expect(told(prompt, text('Begin'), gap, text('dle of it.'), reply, text('Next.'))).toEqual([text('Next.')])
  expect(told(thinking('dle'), text('Next.'))).toEqual([text('Next.')])
  expect(told(text('dle'), tool, text('Next.'))).toEqual([text('Next.')])
})

test('what the log has is dropped, what came after it stays', () => {
  const state = live(prompt, thinking('hm'), text('First.'), thinking('so'), text('Sec'))
  const pieces = shown(state)
  expect(shown(dropWritten(state, [{ type: 'thinking', thinking: 'hm' }]))).toEqual(pieces.slice(1))
  expect(shown(dropWritten(state, [{ type: 'text', text: 'First.' }]))).toEqual(pieces.slice(2))
})

test('a block that is not shown is dropped like any other', () => {
  const state = live(text('dle.'), reply, text('Next.'))
  expect(shown(dropWritten(state, [{ type: 'text', text: 'Middle.' }]))).toEqual([text('Next.')])
})

test('blocks that are never told live drop nothing', () => {
  const state = live(prompt, text('First.'))
  expect(shown(dropWritten(state, [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }]))).toEqual([text('First.')])
})

const wrote = (said: string) => ({ type: 'text', text: said }) as const

test('a block that is being told is not begun in its middle if an older one is written meanwhile', () => {
  const state = dropWritten(live(text('dle of it.')), [wrote('Older.')])
  expect(shown(addLive(state, text(' And on.')))).toEqual([])
  expect(shown([thinking('hm'), text('Next.')].reduce(addLive, state))).toEqual([thinking('hm'), text('Next.')])
})

test('what was taken for written hides nothing that comes after it', () => {
  const state = [reply, text('Next.')].reduce(addLive, dropWritten(live(prompt, text('First')), [wrote('First')]))
  expect(shown(state)).toEqual([text('Next.')])
  expect(shown(dropWritten(state, [wrote('Next.')]))).toEqual([])
})
