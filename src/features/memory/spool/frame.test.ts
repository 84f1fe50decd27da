import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { frameOf, readFrames, type SpooledCommand } from './frame.ts'

const session = 'bash-7-1'

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t')

const line = (count: number, command: string, cwd = '/w'): string =>
  `\n1\t${count}\t1700000000000\t12\t1\t${escaped(cwd)}\t${escaped(command)}\t.\n`

const read = (text: string): ReturnType<typeof readFrames> => readFrames(Buffer.from(text), session)

describe('a line of the spool', () => {
  test('says what was run, where, when, for how long and how it ended', () => {
    expect(read(line(3, 'make test'))).toEqual({
      commands: [
        {
          id: 'bash-7-1-3',
          command: 'make test',
          at: 1_700_000_000_000,
          cwd: '/w',
          exit: 1,
          durationMs: 12,
          outcome: 'failed',
          session,
          author: 'person',
          output: null,
          branch: null,
          source: 'shell',
        },
      ],
      broken: 0,
    })
  })

  test('may know less', () => {
    const [command] = read('\n1\t1\t\t\t\t\tls\t.\n').commands
    expect(command).toMatchObject({ command: 'ls', at: null, cwd: null, exit: null, durationMs: null })
  })

  test('bytes that are no text become a mark', () => {
    const bytes = Buffer.concat([Buffer.from('\n1\t1\t1\t1\t0\t/w\techo '), Buffer.from([0xff]), Buffer.from('\t.\n')])
    expect(readFrames(bytes, session).commands[0]?.command).toBe('echo \ufffd')
  })

  test.each(['2\t1\t1\t1\t0\t/w\tls\t.', '1\t0\t1\t1\t0\t/w\tls\t.', '1\t1\t1\t1\t0\t/w\t\t.', 'hello'])(
    'is refused when it is not ours: %j',
    (text) => {
      expect(read(`\n${text}\n`)).toEqual({ commands: [], broken: 1 })
    },
  )
})

describe('a line of another program', () => {
  const command: SpooledCommand = {
    id: 'i1',
    command: 'make\n\ttest',
    at: 5,
    cwd: '/w',
    exit: 2,
    durationMs: 7,
    outcome: 'interrupted',
    session: 's1',
    author: 'my-agent',
    output: 'make: *** [test] Error 2\n',
    branch: 'main',
    source: 'ingest',
  }

  test('comes back as it was, with its own session and author', () => {
    expect(read(frameOf(command) + line(1, 'ls'))).toMatchObject({
      commands: [command, { id: 'bash-7-1-1', command: 'ls' }],
      broken: 0,
    })
  })

  test.each([{ id: '' }, { command: '' }, { author: 3 }])('is refused without %j', (part) => {
    expect(read(frameOf({ ...command, ...part } as SpooledCommand))).toEqual({ commands: [], broken: 1 })
  })

  test.each([
    [{ exit: 1.5 }, { exit: null }],
    [{ at: 1e300 }, { at: null }],
    [{ at: -1 }, { at: null }],
    [{ durationMs: 1.6 }, { durationMs: 2 }],
    [{ outcome: 'fine' as 'ok' }, { outcome: 'failed' }],
  ])('what no table takes is not known: %j', (part, known) => {
    expect(read(frameOf({ ...command, ...part })).commands).toEqual([{ ...command, ...known }])
  })

  test('is refused when it was cut', () => {
    const cut = frameOf(command).slice(0, -3)
    expect(read(`${cut}\n${line(1, 'ls')}`)).toMatchObject({ commands: [{ command: 'ls' }], broken: 1 })
  })
})

const texts = fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 6 })

test('any command and any directory come back as they were', () => {
  fc.assert(
    fc.property(texts, fc.string({ minLength: 1 }), (commands, cwd) => {
      const written = commands.map((command, index) => line(index + 1, command, cwd)).join('')
      const found = read(written)
      expect(found.broken).toBe(0)
      expect(found.commands.map((each) => [each.command, each.cwd])).toEqual(commands.map((each) => [each, cwd]))
    }),
  )
})

test('a line that was cut anywhere spoils no other', () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(), (commands, which, where) => {
      const lines = commands.map((command, index) => line(index + 1, command))
      const cut = which % lines.length
      const torn = lines.map((each, index) => (index === cut ? each.slice(0, where % (each.length - 1)) : each))
      const ids = read(torn.join('')).commands.map(({ id }) => id)
      expect(ids).toEqual(lines.flatMap((_, index) => (index === cut ? [] : [`${session}-${index + 1}`])))
    }),
  )
})
