import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findScript, formatScript, parseScript, type Step, type ToolStep } from './script.ts'

const line = fc
  .string({ minLength: 1, unit: 'grapheme' })
  .filter((text) => text === text.trim() && !/[\n\r\u2028\u2029]|(?:^|\s);;(?:\s|$)/.test(text))
const json = fc.dictionary(fc.string(), fc.jsonValue()).map((value): Record<string, unknown> => {
  const plain: Record<string, unknown> = JSON.parse(JSON.stringify(value))
  return plain
})
const run = fc.record({ do: fc.constant('RUN' as const), command: line })
const call = fc.record({ do: fc.constant('CALL' as const), tool: fc.stringMatching(/^[\w-]+$/), input: json })
const parallelRun = run.filter(({ command }) => !/ && (?:RUN|CALL):/.test(command))
const calls = fc.array(fc.oneof<fc.Arbitrary<ToolStep>[]>(parallelRun, call), { minLength: 1, maxLength: 4 })
const step: fc.Arbitrary<Step> = fc.oneof(
  run,
  call,
  fc.record({ do: fc.constant('PAR' as const), calls }),
  fc.record({ do: fc.constantFrom('SAY' as const, 'THINK' as const), text: line }),
  fc.record({ do: fc.constant('SLOW' as const), seconds: fc.nat(1000).map((tenths) => tenths / 10), text: line }),
  fc.record(
    { do: fc.constant('ERROR' as const), status: fc.integer({ min: 400, max: 599 }), message: line },
    { requiredKeys: ['do', 'status'] },
  ),
  fc.record({ do: fc.constant('LIMIT' as const), retryAfter: fc.nat() }, { requiredKeys: ['do'] }),
  fc.record({ do: fc.constant('QUOTA' as const), seconds: fc.nat() }),
  fc.record({ do: fc.constant('DROP' as const) }),
  fc.record({ do: fc.constant('WAIT' as const), name: line }),
)

test('what is formatted parses to the same steps, also out of a longer prompt', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      const script = formatScript(steps)
      expect(parseScript(script)).toEqual(steps)
      expect(findScript(`please do this\n${script}\nthank you`)).toBe(script)
    }),
  )
})

describe('reading', () => {
  test('a sub-agent prompt may hold a script of its own', () => {
    const prompt = 'RUN:echo } ;; SAY:"done"'
    const steps = parseScript(`CALL:Agent${JSON.stringify({ prompt })} ;; SAY:main done`)
    expect(steps).toEqual([
      { do: 'CALL', tool: 'Agent', input: { prompt } },
      { do: 'SAY', text: 'main done' },
    ])
  })

  test('a command of a PAR may hold &&', () => {
    expect(parseScript('PAR:RUN:cd / && ls && CALL:Read{"file_path":"a && b"} && RUN:pwd')).toEqual([
      {
        do: 'PAR',
        calls: [
          { do: 'RUN', command: 'cd / && ls' },
          { do: 'CALL', tool: 'Read', input: { file_path: 'a && b' } },
          { do: 'RUN', command: 'pwd' },
        ],
      },
    ])
  })

  test.each(['what is LIMIT?', 'DROP the table', 'say: hello', ' and RUN:ls'])('%j is no script', (text) => {
    expect(findScript(text)).toBeUndefined()
  })
})

test.each([
  ['SAY:a ;; FOO:b', 'script step 2 "FOO:b": unknown step'],
  ['RUN:', 'script step 1 "RUN:": a command is missing'],
  ['SAY:a ;; SLOW:x:b', 'script step 2 "SLOW:x:b": expected SLOW:<seconds>:<text>'],
  ['ERROR:200', 'script step 1 "ERROR:200": expected ERROR:<status'],
  ['LIMIT:soon', 'script step 1 "LIMIT:soon": expected LIMIT'],
  ['QUOTA', 'script step 1 "QUOTA": expected QUOTA:<seconds>'],
  ['DROP:now', 'script step 1 "DROP:now": takes nothing after it'],
  ['CALL:Read', 'script step 1 "CALL:Read": expected CALL:<Tool>{json}'],
  ['SAY:a ;; CALL:Read{"a":} ;; SAY:b', 'script step 2 "CALL:Read{"a":}": its JSON is invalid'],
  ['CALL:Read{"a":1} SAY:b', 'script step 2 "SAY:b": expected " ;; " before it'],
  ['PAR:echo a && echo b', 'script step 1 "PAR:echo a && echo b": PAR takes RUN'],
])('%j is refused by name', (source, message) => {
  expect(() => parseScript(source)).toThrow(message)
})
