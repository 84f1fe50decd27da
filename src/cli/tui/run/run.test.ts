import { describe, expect, test } from 'vitest'
import type { Question } from '../../../contract/agent.ts'
import { createStyle } from '../../output.ts'
import { paint } from '../terminal/line.ts'
import { withEvent } from './events.ts'
import { type Command, press } from './keys.ts'
import {
  due,
  emptyRun,
  type Run,
  withDrawn,
  withMove,
  withPaste,
  withSent,
  withUnanswered,
  withUnsent,
} from './model.ts'
import type { ScreenEvent } from './ports.ts'
import { keptBlocks } from './transcript.ts'
import { view } from './view.ts'

const size = { columns: 80, rows: 20 }
const start = 1_000_000
const state = (
  name: Extract<ScreenEvent, { kind: 'state' }>['state'],
  question: Question | null = null,
): ScreenEvent => ({
  kind: 'state',
  state: name,
  question,
  reason: 'because',
})
const permission: Question = {
  id: 'q1',
  kind: 'permission',
  tool: 'Bash',
  input: { command: 'rm -rf build\nmake', timeout: 5 },
  summary: 'Bash rm -rf build',
}
const choice: Question = {
  ...permission,
  id: 'q2',
  kind: 'question',
  input: {},
  summary: 'Which?',
  options: ['red', 'blue'],
}

const heard = (run: Run, ...events: ScreenEvent[]): Run =>
  events.reduce((before, event) => withEvent(before, event, start), run)
const idle = heard(emptyRun('worker · Claude Code', false, ['earlier']), state('idle'))
const working = heard(idle, { kind: 'prompt', text: 'Go' }, state('working'))
const text = (piece: string): ScreenEvent => ({ kind: 'text', text: piece })

const shown = (run: Run, where = size, now = start): string[] =>
  view(run, where, now).lines.map((line) => paint(line, where.columns, createStyle(false)).trimEnd())
const body = (run: Run, where = size): string[] => shown(run, where).slice(0, -2).filter(Boolean)
const pressed = (run: Run, keys: readonly string[], now = start): [Run, Command | null] =>
  keys.reduce<[Run, Command | null]>(([before], key) => press(before, key, size, now), [run, null])
const typed = (run: Run, line: string): [Run, Command | null] => pressed(run, [...Array.from(line), 'enter'])

describe('what happens', () => {
  test('is shown as it comes', () => {
    const run = heard(
      working,
      { kind: 'thinking', text: 'Let me ' },
      { kind: 'other', raw: 'between' },
      { kind: 'thinking', text: 'see.' },
      text('\n\nI look'),
      text(' at **it**.'),
    )
    expect(body(run)).toEqual(['worker · Claude Code', '› Go', '✻ Let me see.', 'I look at it.'])
    const later = heard(
      run,
      { kind: 'tool', id: 't', name: 'Bash', input: { command: 'ls' }, isSubagent: false },
      { kind: 'tool_result', id: 't', text: '\u001b[31ma\u001b[0m\nb', isError: false },
      {
        kind: 'usage',
        usage: { inputTokens: 1_200, cacheTokens: 300, outputTokens: 40, costUsd: 0.0123, model: 'm-1' },
      },
    )
    expect(body(later).at(-1)).toBe('● Bash ls · 2 lines')
    expect(shown(later, size, start + 65_000).at(-2)).toMatch(
      /^. working · 1m 05s · 1.5k in · 40 out · \$0.0123 · m-1 +Esc interrupts$/,
    )
    const asked = withEvent(later, state('awaiting_permission', permission), start + 70_000)
    expect(shown(asked, { columns: 200, rows: 20 }, start + 75_000).at(-2)).toContain('awaiting permission · 1m 15s')
    const end = heard(
      later,
      { kind: 'ended', reason: 'end_turn', isError: false, wasInterrupted: false },
      state('idle'),
    )
    expect(body(end).at(-1)).toBe('■ end_turn · 0s · 1.5k in · 40 out · $0.0123')
    expect(shown(end).at(-2)).toMatch(/^■ idle · \$0.0123 · m-1 +\/help$/)
    const second = heard(
      end,
      state('working'),
      { kind: 'usage', usage: { inputTokens: 10, outputTokens: 2, costUsd: 0.0323, model: 'm-1' } },
      { kind: 'ended', reason: 'end_turn', isError: false, wasInterrupted: false },
    )
    expect(body(second).at(-1)).toBe('■ end_turn · 0s · 10 in · 2 out · $0.0200 · $0.0323 in all')
  })

  test('unfolds by a key: results, thoughts, and what nobody understands', () => {
    const run = heard(
      working,
      { kind: 'other', raw: { type: 'strange' } },
      { kind: 'from the future' } as unknown as ScreenEvent,
      { kind: 'tool_result', id: 'unknown', text: 'lost', isError: false },
      { kind: 'tool', id: 't', name: 'Bash', input: { command: 'ls' }, isSubagent: true },
      { kind: 'tool_result', id: 't', text: 'a', isError: false },
    )
    expect(body(run)).toEqual(['worker · Claude Code', '› Go', '  ↳ ● Bash ls · 1 line'])
    const [open] = pressed(run, ['ctrl-o'])
    expect(body(open).slice(2)).toEqual([
      '· {"type":"strange"}',
      '· {"kind":"from the future"}',
      '· {"result":"unknown","text":"lost"}',
      '  ↳ ● Bash ls · 1 line',
      '    command: ls',
      '    a',
    ])
    expect(body(pressed(open, ['ctrl-o'])[0])).toEqual(body(run))
  })

  test('tools that follow each other have no row between them', () => {
    const tool = (id: string): ScreenEvent => ({ kind: 'tool', id, name: 'Bash', input: {}, isSubagent: false })
    const run = heard(working, tool('1'), { kind: 'other', raw: 'between' }, tool('2'))
    expect(
      shown(run)
        .slice(4, 6)
        .map((line) => line.trim()),
    ).toEqual(['○ Bash', '○ Bash'])
  })

  test('why an agent is gone is said once', () => {
    const run = heard(working, text('half'), state('crashed'), state('crashed'))
    expect(body(run).slice(2)).toEqual(['half', 'It is crashed: because'])
    expect(body(heard({ ...working, doing: '/rewind' }, state('stopped'))).slice(2)).toEqual([])
  })

  test('what is too much of a result is left out in the middle', () => {
    const long = { kind: 'tool_result', id: 't', text: `a${'x'.repeat(30_000)}z`, isError: false } as const
    const run = heard(working, { kind: 'tool', id: 't', name: 'Bash', input: {}, isSubagent: false }, long)
    const [open] = pressed(run, ['ctrl-o'])
    expect(body(open, { columns: 80, rows: 600 }).join(' ')).toContain('… 10002 characters are left out …')
  })
})

describe('what is written', () => {
  test('is sent when the agent is idle, waits while it works, and can be taken back', () => {
    const [one] = typed(working, 'first')
    const [two] = typed(one, 'second')
    expect(due(two)[1]).toBe(null)
    expect(shown(two).slice(-4)).toEqual([
      '⋯ first',
      '⋯ second',
      expect.stringContaining('↑ takes back what waits'),
      '›',
    ])
    const [back] = pressed(two, ['up'])
    expect([back.input.text, back.queue]).toEqual(['second', ['first']])
    const [sending, prompt] = due(heard(back, state('idle')))
    expect([prompt, sending.queue, sending.sending]).toEqual(['first', [], 'first'])
    expect(due(typed({ ...sending, input: idle.input }, 'third')[0])[1]).toBe(null)
    const taken = heard(sending, { kind: 'prompt', text: 'first' })
    expect(body(taken).filter((line) => line.includes('first'))).toEqual(['› first'])
    expect(due(typed({ ...taken, input: idle.input }, 'third')[0])[1]).toBe(null)
    expect(heard(taken, state('working')).sending).toBe(null)
  })

  test('comes back when it was refused, unless something else is being written', () => {
    const [sending] = due(typed(idle, 'hello')[0])
    expect(withUnsent(sending, 'hello', 'Not sent.')).toMatchObject({
      sending: null,
      notice: 'Not sent.',
      input: { text: 'hello' },
    })
    const [busy] = pressed(sending, ['x'])
    expect(withUnsent(busy, 'hello', 'Not sent.')).toMatchObject({ input: { text: 'x' }, queue: ['hello'] })
  })

  test('may have several lines, by Alt-Enter, a backslash or a paste', () => {
    const [two] = pressed(idle, ['a', 'newline', 'b', '\\', 'enter', 'c'])
    expect(shown(two).slice(-3)).toEqual(['› a', '  b', '  c'])
    expect(view(two, size, start).caret).toEqual({ row: 19, column: 3 })
    const pasted = withPaste(two, 'y\nz', false)
    expect(due(typed(pasted, '')[0])[1]).toBe('a\nb\ncy\nz')
    const [up] = pressed(pasted, ['up', 'up', 'end', '!'])
    expect(up.input.text).toBe('a\nb!\ncy\nz')
  })

  test('can be had again, also from earlier runs', () => {
    const [sentOne] = due(typed(idle, 'one')[0])
    expect(pressed(sentOne, ['up', 'up'])[0].input.text).toBe('earlier')
    expect(pressed(sentOne, ['up', 'up', 'down'])[0].input.text).toBe('one')
  })

  test('is in sight where the cursor is, however long', () => {
    const long = withPaste(idle, 'x'.repeat(5_000), false)
    const picture = view(long, size, start)
    expect(picture.caret.row).toBe(19)
    expect(shown(long).filter((line) => line.includes('xxx'))).toHaveLength(6)
    expect(view(pressed(long, ['ctrl-a'])[0], size, start).caret).toEqual({ row: 14, column: 2 })
  })
})

test('turns that were rewound go from the screen, and come back with /undo', () => {
  const three = ['one', 'two', 'three'].reduce(
    (run, word) => heard(run, { kind: 'prompt', text: word }, text(`said ${word}\n`)),
    idle,
  )
  const rewound = withMove(three, '3b', '1')
  expect(body(rewound).join('\n')).toContain('said one')
  expect(body(rewound).join('\n')).not.toMatch(/two|three/)
  expect(body(withMove(rewound, '1', '3b'))).toEqual(body(three))
  expect(body(withMove(three, '3', '0')).join('\n')).not.toContain('one')
  expect(withMove(three, '3', '3')).toBe(three)
  expect(withMove(three, '1', '3')).toBe(three)
})

test('a tool call is shown once while it is asked about', () => {
  const input = { command: 'npm publish' }
  const called = heard(working, { kind: 'tool', id: 't1', name: 'Bash', input, isSubagent: false })
  const asked = heard(
    called,
    state('awaiting_permission', {
      ...permission,
      tool: 'Bash',
      input: { ...input, quiet: false },
      summary: 'npm publish',
    }),
  )
  const mentions = (run: Run): number => body(run).filter((line) => line.includes('npm publish')).length
  expect([mentions(called), mentions(asked)]).toEqual([1, 1])
  expect(mentions(heard(asked, state('working')))).toBe(1)
})

describe('commands', () => {
  test.each<[string, Command]>([
    ['/session', { kind: 'session' }],
    ['/turns', { kind: 'turns' }],
    ['/rewind 3', { kind: 'rewind', turn: 3 }],
    ['/rewind', { kind: 'chooseTurn' }],
    ['/fork', { kind: 'fork', turn: null }],
    ['/fork 2', { kind: 'fork', turn: 2 }],
    ['/compact', { kind: 'compact' }],
    ['/cost', { kind: 'cost' }],
    ['/model opus', { kind: 'model', name: 'opus' }],
    ['/exit', { kind: 'exit' }],
    ['/quit', { kind: 'exit' }],
    ['/q', { kind: 'exit' }],
  ])('%s is one', (line, command) => {
    const [run, found] = typed(idle, line)
    expect(found).toEqual(command)
    expect([run.input.text, run.queue]).toEqual(['', []])
  })

  test.each([
    ['/rewnd 3', 'There is no /rewnd. Did you mean /rewind? /help shows all; // says it to the agent.'],
    ['/usr/bin/env', 'There is no /usr/bin/env. /help shows all; // says it to the agent.'],
    ['/rewind x', 'Usage: /rewind [N]'],
    ['/model', 'Usage: /model NAME'],
    ['/cost now', 'Usage: /cost'],
  ])('%s is none, and stays to be put right', (line, notice) => {
    const [run, command] = typed(idle, line)
    expect([command, run.notice, run.input.text]).toEqual([null, notice, line])
  })

  test.each(['/help', '/h', '/?'])('%s shows all of them', (line) => {
    const [run] = typed(idle, line)
    const lines = body(run, { columns: 80, rows: 40 })
    expect(lines).toContain('/fork [N]   another agent goes on from here, or from turn N')
    expect(lines).toContain('Esc         interrupts the agent')
  })

  test('a second slash says it to the agent', () => {
    expect(due(typed(idle, '//etc is full')[0])[1]).toBe('/etc is full')
  })

  test('are completed', () => {
    expect(pressed(idle, ['/', 't', 'tab'])[0].input.text).toBe('/turns')
    expect(pressed(idle, ['/', 'm', 'tab'])[0].input.text).toBe('/model ')
    expect(pressed(idle, ['/', 'c', 'tab'])[0]).toMatchObject({ input: { text: '/co' }, notice: null })
    expect(pressed(idle, ['/', 'c', 'o', 'tab'])[0].notice).toBe('/compact  /cost')
    expect(pressed(idle, ['x', 'tab'])[0].input.text).toBe('x')
  })
})

describe('ending and interrupting', () => {
  test('Esc interrupts an agent at work, and nothing else', () => {
    expect(pressed(working, ['escape'])[1]).toEqual({ kind: 'interrupt' })
    expect(pressed(idle, ['escape'])[1]).toBe(null)
  })

  test('Ctrl-C interrupts, twice it ends; Ctrl-D ends in an empty line alone', () => {
    const [once, command] = pressed(working, ['ctrl-c'])
    expect([command, once.notice]).toEqual([{ kind: 'interrupt' }, 'Ctrl-C once more ends it.'])
    expect(pressed(once, ['ctrl-c'])[1]).toEqual({ kind: 'exit' })
    expect(pressed(once, ['x', 'ctrl-c'])[1]).toEqual({ kind: 'interrupt' })
    expect(pressed(idle, ['x', 'ctrl-c'])[0].input.text).toBe('')
    expect(pressed(idle, ['x', 'left', 'ctrl-d'])[0].input.text).toBe('')
    expect(pressed(idle, ['ctrl-d'])[1]).toEqual({ kind: 'exit' })
  })
})

describe('a question', () => {
  const asked = heard(working, state('awaiting_permission', permission))
  const drawn = withDrawn(withSent(asked, start), start)
  const later = start + 500

  test('is shown in full, with the keys that answer it', () => {
    expect(body(drawn).slice(-4)).toEqual([
      '? Allow Bash?',
      '    command: rm -rf build',
      '      make',
      '    timeout: 5',
    ])
    expect(shown(drawn, size, later).at(-2)).toMatch(/y allows · n denies · or write why not · Esc interrupts$/)
  })

  test('of Rein says why it is asked', () => {
    const why = 'Rein: it seems to go in circles.'
    const explained = heard(working, state('awaiting_permission', { ...permission, why }))
    expect(body(explained).slice(-5, -2)).toEqual(['? Allow Bash?', `  ${why}`, '    command: rm -rf build'])
  })

  test('that is longer than the screen says so, and can be read from its beginning', () => {
    const command = Array.from({ length: 30 }, (_, n) => `step ${n}`).join('\n')
    const long = heard(working, state('awaiting_permission', { ...permission, input: { command } }))
    expect(shown(long).at(-3)).toBe('It is longer than the screen: PgUp shows its beginning.')
    expect(body(long).at(-2)).toBe('      step 29')
    expect(body(pressed(long, ['pageup'])[0])).toContain('    command: step 0')
  })

  test.each([
    ['y', 'allow'],
    ['n', 'deny'],
  ])('%s answers it', (key, answer) => {
    const [run, command] = pressed(drawn, [key], later)
    expect(command).toMatchObject({ kind: 'answer', asked: { question: permission }, answer })
    expect(run.asked).toBe(null)
    expect(body(run).at(-1)).toBe(`→ Bash: ${answer}`)
  })

  test('words answer it, also when they begin with a key', () => {
    const [run, command] = pressed(withPaste(drawn, 'n', true), [...Array.from('o, use y'), 'enter'], later)
    expect(command).toMatchObject({ kind: 'answer', answer: 'no, use y' })
    expect(run.input.text).toBe('')
    expect(pressed(drawn, ['enter'], later)[1]).toBe(null)
  })

  test('is not answered by a key that was typed before it was drawn', () => {
    for (const early of [asked, withSent(asked, start)]) {
      const [run, command] = pressed(early, ['y'], later)
      expect(command).toBe(null)
      expect([run.asked?.question.id, run.input.text]).toEqual(['q1', 'y'])
    }
  })

  test('is not answered by somebody who is in the middle of a word', () => {
    const [during, none] = pressed(drawn, ['y'], start + 100)
    expect([none, during.input.text]).toEqual([null, 'y'])
    const [still, command] = pressed(during, ['y'], start + 550)
    expect([command, still.input.text]).toEqual([null, 'yy'])
    expect(pressed(still, ['y'], start + 1_100)[1]).toMatchObject({ answer: 'allow' })
  })

  test('is not answered when the terminal has drawn only the one before it', () => {
    const other = heard(withSent(asked, start), state('awaiting_permission', { ...permission, id: 'q3' }))
    const sentBoth = withSent(other, start + 10)
    const first = pressed(sentBoth, ['drawn'], start + 20)[0]
    expect(pressed(first, ['y'], start + 2_000)[1]).toBe(null)
    const both = pressed(first, ['drawn'], start + 30)[0]
    expect(pressed(both, ['y'], start + 2_000)[1]).toMatchObject({ answer: 'allow', asked: { question: { id: 'q3' } } })
  })

  test('can be answered on a terminal that never says what it has drawn', () => {
    const silent = withSent(asked, start)
    expect(pressed(silent, ['y'], start + 2_999)[1]).toBe(null)
    expect(pressed(silent, ['y'], start + 3_000)[1]).toMatchObject({ answer: 'allow' })
  })

  test('with choices is answered by a number; y and n are words then', () => {
    const open = withDrawn(withSent(heard(working, state('awaiting_answer', choice)), start), start)
    expect(body(open).slice(-4)).toEqual(['? It asks: Bash', 'Which?', '  1. red', '  2. blue'])
    expect(pressed(open, ['2'], later)[1]).toMatchObject({ answer: '2' })
    expect(body(pressed(open, ['2'], later)[0]).at(-1)).toBe('→ Bash: blue')
    expect(pressed(open, ['y'], later)).toMatchObject([{ answer: { text: 'y' } }, null])
    expect(pressed(open, ['3'], later)[1]).toBe(null)
  })

  test('is asked anew when its answer did not arrive', () => {
    const [run] = pressed(drawn, ['y'], later)
    if (drawn.asked === null) throw new Error('nothing is asked')
    const again = withUnanswered(run, drawn.asked, 'The daemon is away.')
    expect(again.asked).toMatchObject({ question: permission, sentAt: null, drawnAt: null })
    expect(pressed(again, ['y'], later)[1]).toBe(null)
  })

  test('goes when the agent no longer asks it', () => {
    expect(body(heard(drawn, state('working'))).at(-1)).toBe('› Go')
  })
})

describe('looking back', () => {
  const lines = (count: number): ScreenEvent => text(Array.from({ length: count }, (_, n) => `line ${n}\n`).join(''))
  const long = heard(working, lines(100))
  const last = (run: Run): string | undefined => body(run).at(-1)

  test('goes by pages, and stays where it is while text streams', () => {
    expect(last(long)).toBe('line 99')
    const [back] = pressed(long, ['pageup'])
    expect(last(back)).toBe('line 82')
    const more = heard(back, text('tail'), text(' more\n'), lines(3))
    expect(shown(more).slice(0, -2)).toEqual(shown(back).slice(0, -2))
    expect(shown(more).at(-2)).toContain('↓ more below')
    expect(last(pressed(more, ['pagedown', 'pagedown'])[0])).toBe('line 2')
    expect(last(pressed(more, ['end'])[0])).toBe('line 2')
    expect(body(pressed(more, ['home'])[0])[0]).toBe('worker · Claude Code')
  })

  test('home and end are of the line where something is written', () => {
    const [run] = pressed(long, ['x', 'home'])
    expect([run.bottom, run.input.at]).toEqual([null, 0])
  })

  test('reaches as far as is kept, and says what is gone', () => {
    const run = heard(working, ...Array.from({ length: 30 }, () => lines(1_000)))
    const { first, end } = run.transcript
    expect(end - first).toBeLessThanOrEqual(keptBlocks)
    expect(first).toBeGreaterThan(10_000)
    expect(body(pressed(run, ['home'])[0])[0]).toBe(`… ${first} earlier pieces are gone from here.`)
    expect(last(run)).toBe('line 999')
  })

  test('what large results take is bounded, too', () => {
    const big: ScreenEvent[] = Array.from({ length: 1_000 }, (_, n) => [
      { kind: 'tool', id: `${n}`, name: 'Read', input: {}, isSubagent: false } as const,
      { kind: 'tool_result', id: `${n}`, text: 'x'.repeat(30_000), isError: false } as const,
    ]).flat()
    expect(heard(working, ...big).transcript.weight).toBeLessThanOrEqual(8_000_000)
  })
})
