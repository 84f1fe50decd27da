import { expect, test } from 'vitest'
import { Cleaner } from './cleaner.ts'

const secret = ['ghp', '0123456789abcdefABCDEF0123456789abcd'].join('_')
const line = JSON.stringify({ type: 'user', [secret]: 1, message: { content: `use ${secret} now` } })
const plain = '{"type":"user",  "n":1.0,"text":"\\u00e4"}'

test('secrets are taken out of values and of the names of fields; nothing else is changed by a byte', () => {
  const cleaner = new Cleaner(true)
  const { content } = cleaner.file({ name: 'transcript.jsonl', content: `${plain}\n${line}\n` }, 'talk')
  expect(content).not.toContain(secret)
  expect(content.split('\n')[0]).toBe(plain)
  expect(JSON.parse(content.split('\n')[1] ?? '')).toMatchObject({
    message: { content: expect.stringMatching(/^use \[redacted:.+\] now$/) },
  })
  expect(cleaner.secrets.map(({ entry }) => entry)).toEqual(['talk'])
  expect(cleaner.secrets.reduce((sum, { count }) => sum + count, 0)).toBe(2)
  expect(JSON.stringify(cleaner.secrets)).not.toContain(secret)
})

test('without leave to take them out they are only counted', () => {
  const cleaner = new Cleaner(false)
  expect(cleaner.file({ name: 'transcript.jsonl', content: line }, 'talk').content).toBe(line)
  expect(cleaner.text('note', `x ${secret}`)).toContain(secret)
  expect(cleaner.secrets.map(({ entry }) => entry)).toEqual(['talk', 'note'])
})

test('in bytes that are no text the others stay as they are', () => {
  const data = Buffer.concat([Buffer.of(0, 255, 10), Buffer.from(secret), Buffer.of(10, 254, 0)])
  const clean = new Cleaner(true).bytes('binary', data)
  expect(clean.includes(secret)).toBe(false)
  expect([clean.subarray(0, 3), clean.subarray(-3)]).toEqual([data.subarray(0, 3), data.subarray(-3)])
})
