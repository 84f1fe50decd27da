import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Found, type HistoryReader, readHistory } from './history-reader.ts'
import { BashHistory, FishHistory, ZshHistory } from './shell-histories.ts'

const real = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../../../../test/fixtures/history', name))
const readAll = (reader: HistoryReader, ...chunks: Buffer[]): Found[] => [
  ...chunks.flatMap((chunk) => reader.push(chunk)),
  ...reader.end(),
]
const commands = (reader: HistoryReader, text: string | Buffer): string[] =>
  readAll(reader, Buffer.from(text)).map(({ command }) => command)

describe('bash', () => {
  test('a real history with stamps: each command with its time, lines kept together', () => {
    const found = readAll(new BashHistory(), real('bash_history'))
    expect(found.map(({ command }) => command)).toEqual([
      "echo 'ü'",
      'cat <<X\na\n# no stamp\nX',
      'for i in 1 2; do echo $i; done',
      "echo 'x\n\ny'",
      'exit',
    ])
    expect(found[0]).toEqual({
      command: "echo 'ü'",
      at: 1_794_846_723_000,
      cwd: null,
      exit: null,
      durationMs: null,
      session: null,
      author: 'person',
      outcome: 'unknown',
      output: null,
      key: null,
    })
  })

  test('without stamps each line is a command, and their time is not known', () => {
    const found = readAll(new BashHistory(), Buffer.from('ls\n\nmake # not a stamp\n#1700000000\ngit pull'))
    expect(found.map(({ command, at }) => [command, at])).toEqual([
      ['ls', null],
      ['make # not a stamp', null],
      ['git pull', 1_700_000_000_000],
    ])
  })
})

describe('zsh', () => {
  test('a real history: letters of which zsh writes bytes in two, lines, backslashes, time and duration', () => {
    const found = readAll(new ZshHistory(), real('zsh_history'))
    expect(found.map(({ command }) => command)).toEqual([
      "echo 'ü ñ 日本 ă Ā'",
      'cat <<X\na\nb\nX',
      'echo back\\\\',
      "print 'a\\\nb'",
      'echo end\\ ',
      'sleep 1',
      'exit',
    ])
    expect(found[5]).toMatchObject({ at: 1_794_846_722_000, durationMs: 1000 })
  })

  test('the plain form has no times', () => {
    expect(readAll(new ZshHistory(), Buffer.from('ls\n: 12\n'))).toMatchObject([
      { command: 'ls', at: null, durationMs: null },
      { command: ': 12', at: null },
    ])
  })

  test('a file that ends in the middle of a command', () => {
    expect(commands(new ZshHistory(), 'echo a\\\nb\\')).toEqual(['echo a\nb'])
  })
})

describe('fish', () => {
  test('a real history', () => {
    const found = readAll(new FishHistory(), real('fish_history'))
    expect(found.map(({ command }) => command)).toEqual([
      'echo one',
      'false | true',
      '# comment',
      'not true',
      'echo "a \\tab\nbc"',
      'ls nope; true && echo é',
      "cd /tmp; and fish -c 'exit 3'",
      "echo \\xff 'a\\b'",
    ])
    expect(found.at(-1)?.at).toBe(1_794_846_441_000)
  })
})

test.each([
  ['bash_history', () => new BashHistory()],
  ['zsh_history', () => new ZshHistory()],
  ['fish_history', () => new FishHistory()],
])('%s reads the same in whatever pieces it comes', (name, reader) => {
  const whole = real(name)
  const all = readAll(reader(), whole)
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length), { maxLength: 8 }), (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), whole.length]
      const pieces = edges.slice(1).map((edge, index) => whole.subarray(edges[index], edge))
      expect(readAll(reader(), ...pieces)).toEqual(all)
    }),
  )
})

test('a stream is read as it comes', async () => {
  const found: string[] = []
  const stream = Readable.from([Buffer.from('ls\nma'), Buffer.from('ke\nlast')])
  for await (const { command } of readHistory(stream, new BashHistory())) found.push(command)
  expect(found).toEqual(['ls', 'make', 'last'])
})

test('bytes that are no history break nothing', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      for (const reader of [new BashHistory(), new ZshHistory(), new FishHistory()])
        for (const { command } of readAll(reader, Buffer.from(bytes))) expect(command.trim()).not.toBe('')
    }),
  )
})
