import { expect, test } from 'vitest'
import { DetachKeys } from './detach.ts'

const typed = (...chunks: string[]): { text: string; isDetached: boolean } => {
  const keys = new DetachKeys()
  const taken = chunks.map((chunk) => keys.take(Buffer.from(chunk)))
  return {
    text: taken.map(({ bytes }) => bytes.toString()).join(''),
    isDetached: taken.some(({ isDetached }) => isDetached),
  }
}

test.each([
  ['text, Ctrl-c and bytes of any kind', ['grüße\u0003\u001b[A'], 'grüße\u0003\u001b[A'],
  ['a d alone', ['d'], 'd'],
  ['Ctrl-b before something else', ['\u0002c'], '\u0002c'],
  ['Ctrl-b twice as one', ['\u0002\u0002d'], '\u0002d'],
])('passes on %s', (_, chunks, text) => {
  expect(typed(...chunks)).toEqual({ text, isDetached: false })
})

test.each([[['ab\u0002d']], [['ab\u0002', 'd']]])('Ctrl-b d ends the view (%j)', (chunks) => {
  expect(typed(...chunks)).toEqual({ text: 'ab', isDetached: true })
})
