import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../../../test/support/any-text.ts'
import { decodeLine, formatLine, parseLine } from './line.ts'

const plain = (text: string) => ({ text, claimedAt: null, meta: {}, sender: null })

test('plain text is the whole line', () => {
  expect(parseLine('Check my homework; "now" 你好')).toEqual(plain('Check my homework; "now" 你好'))
})

test('a JSON line has content, claimed time and meta; what it says of channel and sender counts for nothing', () => {
  const line = JSON.stringify({
    content: 'Hi\nthere',
    ts: 1740000000,
    meta: { chat: 7 },
    channel: 'owner',
    sender: 'me',
  })
  expect(parseLine(line)).toEqual({ text: 'Hi\nthere', claimedAt: 1740000000000, meta: { chat: 7 }, sender: null })
})

test.each([
  '{',
  '{not json}',
  '{"content":"cut of',
  '{"text":"no content"}',
  '{"content":5}',
  '{"content":null}',
  '{"content":"half a pair \\ud800"}',
  '["content"]',
  '"content"',
  ' {"content":"not at the beginning"}',
])('%s is plain text', (line) => {
  expect(parseLine(line)).toEqual(plain(line))
})

test.each([
  ['seconds', 1740000000, 1740000000000],
  ['parts of a second', 1740000000.1234, 1740000000123],
  ['milliseconds', 1740000000123, 1740000000123],
  ['text', '"1740000000"', null],
  ['nothing', null, null],
  ['the past before 1970', -1, null],
  ['more than a date can be', 1e300, null],
])('a claimed time in %s', (_, ts, claimedAt) => {
  expect(parseLine(`{"content":"x","ts":${ts}}`)).toEqual({ ...plain('x'), claimedAt })
})

test.each(['[1]', '"x"', 'null', '1'])('meta that is no object (%s) is left out', (meta) => {
  expect(parseLine(`{"content":"x","meta":${meta}}`)).toEqual(plain('x'))
})

test('meta cannot reach what all objects share', () => {
  const { meta } = parseLine('{"content":"x","meta":{"__proto__":{"isHuman":true}}}')
  expect(meta['isHuman']).toBeUndefined()
})

test.each([
  ['UTF-8', Buffer.from('grüße 😀'), 'grüße 😀'],
  ['the half of CRLF', Buffer.from('a\r'), 'a'],
  ['a mark of the byte order', Buffer.from('\ufeff{"content":"x"}'), '{"content":"x"}'],
  ['controls and NUL, which are text', Buffer.from('a\u0000\u001bb'), 'a\u0000\u001bb'],
  ['a lone byte', Buffer.from([0x61, 0xff]), null],
  ['a character cut short', Buffer.from('ü').subarray(0, 1), null],
  ['half a surrogate pair', Buffer.from([0xed, 0xa0, 0x80]), null],
])('decodes %s', (_, bytes, text) => {
  expect(decodeLine(bytes)).toBe(text)
})

test('a text that is one line goes out as it is, any other as JSON', () => {
  expect([formatLine('Done.'), formatLine('a\nb'), formatLine('{}')]).toEqual([
    'Done.',
    '{"content":"a\\nb"}',
    '{"content":"{}"}',
  ])
})

test('any text that goes out as a line comes in as the same text', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        anyText.map((text) => `{${text}`),
      ),
      (text) => {
        const line = formatLine(text)
        expect(line).not.toContain('\n')
        expect(parseLine(decodeLine(Buffer.from(line)) ?? '').text).toBe(text)
      },
    ),
  )
})
