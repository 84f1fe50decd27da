import { expect, test } from 'vitest'
import { emptyReply } from '../../contract/hooks.ts'
import { readable } from './readable.ts'

const hidden = 'Look\u{e006f}'
const shown = String.raw`Look\u{e006f}`

test('what an agent is told has no sign in it that a person would not see', () => {
  const part = { text: hidden, from: 'rules' }
  const reply = {
    ...emptyReply,
    decision: { kind: 'deny' as const, reason: hidden },
    verdict: { kind: 'deny' as const, reason: hidden },
    context: [part],
    goOn: [part],
  }
  expect(readable(reply)).toEqual({
    decision: { kind: 'deny', reason: shown },
    verdict: { kind: 'deny', reason: shown },
    context: [{ ...part, text: shown }],
    goOn: [{ ...part, text: shown }],
  })
  expect(readable(emptyReply)).toEqual(emptyReply)
})
