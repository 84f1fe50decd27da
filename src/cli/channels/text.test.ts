import { expect, test } from 'vitest'
import type { ChannelView } from '../../contract/routes/channels.ts'
import { channelsText } from './text.ts'

const phone: ChannelView = {
  name: 'phone',
  isHuman: false,
  isKept: false,
  senders: null,
  route: null,
  signature: null,
  ways: ['in-fifo'],
  held: 0,
  reason: null,
  pending: 0,
  dead: 0,
  refused: 2,
  refusal: 'a line that is not UTF-8',
}

test('refused lines are counted, and what cannot be used is named with the reason', () => {
  const unused = [{ file: 'in.UPPER', reason: 'It names no channel.', refused: 1 }]
  const text = channelsText({ channels: [phone], unused, fallback: null })
  expect(text).toMatch(/^phone .* 2 +last refused: a line that is not UTF-8$/m)
  expect(text).toContain('Not used: in.UPPER, 1 line refused. It names no channel.')
})
