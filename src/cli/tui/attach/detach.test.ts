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
  ['other keys in a newer form', ['\u001b[99;5u\u001b[100u\u001b[3~'], '\u001b[99;5u\u001b[100u\u001b[3~'],
  ['Ctrl-b before something else, as it came', ['\u001b[98;5u\u001b[99u'], '\u001b[98;5u\u001b[99u'],
  ['Escape at once', ['\u001b'], '\u001b'],
])('passes on %s', (_, chunks, text) => {
  expect(typed(...chunks)).toEqual({ text, isDetached: false })
})

test.each([[['ab\u0011x']], [['ab\u0002d']], [['ab\u0002', 'd']]])(
  'Ctrl-q and Ctrl-b d end the view (%j)',
  (chunks) => {
    expect(typed(...chunks)).toEqual({ text: 'ab', isDetached: true })
  },
)

test.each([
  [['ab\u001b[113;5u']],
  [['ab\u001b[98;5u\u001b[100u']],
  [['ab\u001b[98;133ud']],
  [['ab\u001b[27;5;98~d']],
  [['ab\u001b[9', '8;5', 'u', '\u001b[100;1:1u']],
])('in the newer forms too (%j)', (chunks) => {
  expect(typed(...chunks)).toEqual({ text: 'ab', isDetached: true })
})

test('keys that are let go in between do not count', () => {
  const released = '\u001b[98;5:3u\u001b[57442;1:3u'
  expect(typed(`\u001b[98;5:1u${released}\u001b[100u`)).toEqual({ text: released, isDetached: true })
})
