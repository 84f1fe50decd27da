import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellWidth } from '../../cells.ts'
import { createStyle } from '../../output.ts'
import { paint } from '../terminal/line.ts'
import { withEvent } from './events.ts'
import { press } from './keys.ts'
import { due, emptyRun, withPaste, withSent } from './model.ts'
import { view } from './view.ts'

const size = { columns: 80, rows: 20 }
const start = 1_000_000

test('is never larger than the terminal, and nothing in it steers it', () => {
  const nasty = fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '\n',
      '| a |\n',
      '```ts\n',
      '# ',
      '- ',
      '**',
      '`',
      '漢',
      '🚀',
      '\u001b[2J',
      '\u0007',
      '\t',
      '\r',
      '\u009b',
      '\u202e',
      '❤️',
      '\u0301',
    ),
    maxLength: 40,
  })
  const event = fc.oneof(
    fc.record({
      kind: fc.constantFrom('text' as const, 'thinking' as const, 'prompt' as const, 'note' as const),
      text: nasty,
    }),
    fc.record({
      kind: fc.constant('tool' as const),
      id: fc.constantFrom('1', '2'),
      name: nasty,
      input: fc.dictionary(
        fc.constantFrom('command', 'file_path', 'old_string', 'new_string', 'edits', 'todos'),
        fc.oneof(nasty, fc.array(fc.record({ old_string: nasty, new_string: nasty }))),
      ),
      isSubagent: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('tool_result' as const),
      id: fc.constantFrom('1', '2', '3'),
      text: nasty,
      isError: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('ended' as const),
      reason: nasty,
      isError: fc.boolean(),
      wasInterrupted: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('other' as const), raw: fc.anything() }),
    fc.record({ kind: fc.constant('model' as const), model: nasty }),
    fc.record({
      kind: fc.constant('state' as const),
      state: fc.constantFrom('idle' as const, 'working' as const, 'awaiting_permission' as const, 'stopped' as const),
      reason: nasty,
      question: fc.option(
        fc.record({
          id: fc.constantFrom('1', '2'),
          kind: fc.constantFrom('permission' as const, 'plan' as const, 'question' as const),
          tool: nasty,
          input: fc.record({ plan: nasty }),
          summary: nasty,
          options: fc.array(nasty, { maxLength: 3 }),
        }),
      ),
    }),
  )
  const key = fc.constantFrom(
    'pageup',
    'pagedown',
    'home',
    'end',
    'up',
    'down',
    'tab',
    'left',
    'enter',
    'newline',
    'x',
    '/',
    'y',
    '1',
    'escape',
    'ctrl-o',
    'ctrl-c',
    'drawn',
  )
  const step = fc.oneof(
    event,
    key,
    nasty.map((pasted) => ({ pasted })),
  )
  const sizes = fc.record({ columns: fc.integer({ min: 1, max: 200 }), rows: fc.integer({ min: 1, max: 60 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.array(sizes, { minLength: 1, maxLength: 2 }), (steps, wheres) => {
      let run = emptyRun('title', false)
      let now = start
      for (const one of steps) {
        now += 700
        const where = wheres[now % wheres.length] ?? size
        if (typeof one === 'string') run = press(run, one, where, now)[0]
        else run = 'pasted' in one ? withPaste(run, one.pasted, false) : withEvent(run, one, now)
        run = due(run.asked?.sentAt === null ? withSent(run, now) : run)[0]
        const { lines, caret } = view(run, where, now)
        expect(lines).toHaveLength(where.rows)
        expect(caret.column).toBeLessThan(where.columns)
        expect(caret.row).toBeLessThan(where.rows)
        for (const line of lines.map((each) => paint(each, where.columns, createStyle(false)))) {
          expect(cellWidth(line)).toBeLessThanOrEqual(where.columns)
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
        }
      }
    }),
    { numRuns: 100 },
  )
})
