import { expect, test } from 'vitest'
import { claude } from '../../drivers/claude/driver.ts'
import { spansOf } from './spans.ts'

const line = (uuid: string, type: string, content: unknown): string =>
  JSON.stringify({ type, uuid, timestamp: '2026-11-16T10:00:00.000Z', message: { role: type, content } })

const entriesOf = (lines: readonly string[]) => {
  const { format } = claude.transcript
  if (format.kind !== 'lines') throw new Error('It has lines.')
  const read = format.reader()
  return lines.flatMap((one) => read(one))
}

test('a turn goes from its prompt to what stands before the next one', () => {
  const said = [{ type: 'text', text: 'ok' }]
  const lines = [
    line('r0', 'assistant', said),
    line('p1', 'user', 'One'),
    line('r1', 'assistant', said),
    line('p2', 'user', 'Two'),
    line('r2', 'assistant', said),
    line('p1', 'user', 'One'),
    line('p3', 'user', 'Three'),
  ]
  expect(spansOf(entriesOf(lines))).toEqual([
    { first: 'p1', last: 'r1' },
    { first: 'p2', last: 'r2' },
    { first: 'p3', last: 'p3' },
  ])
})
