import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agentStates } from '../../../contract/agent.ts'
import type { ReceiptState } from '../../../contract/directive.ts'
import type { AgentView } from '../../../contract/routes/agents.ts'
import type { InboxItemView } from '../../../contract/routes/directives.ts'
import type { SessionTurnView } from '../../../contract/routes/sessions.ts'
import { cellWidth } from '../../cells.ts'
import { createStyle } from '../../output.ts'
import { paint } from '../terminal/line.ts'
import { type Command, emptyTop, noticesIn, type Top, withAgents, withLog, withPreview, withTurns } from './model.ts'
import { paste, press } from './press.ts'
import { view } from './view.ts'

const now = new Date(2026, 0, 2, 12, 0, 0).getTime()
const plain = createStyle(false)

const question = {
  id: 'q1',
  kind: 'permission',
  tool: 'Bash',
  input: { command: 'rm -rf build' },
  summary: 'rm -rf build',
} as const

const agent = (handle: string, more: Partial<AgentView> = {}): AgentView => ({
  handle,
  project: 'shop',
  driver: 'claude',
  version: '2.1.197',
  host: 'tmux',
  state: 'idle',
  since: now - 120_000,
  cwd: '/src/shop',
  pid: 42,
  conversation: 'c1',
  question: null,
  inbox: { queued: 2, offered: 0, placed: 1, seen: 0, acked: 7 },
  until: null,
  isPaused: false,
  pauseReason: null,
  crashes: 0,
  health: { hooks: 'heard', failures: 0, healed: 0 },
  evidence: null,
  weakened: [],
  wake: 'protocol',
  detail: {
    last: { kind: 'tool', text: 'Bash npm test' },
    said: 'All tests pass.\nI will look at the cart now.',
    usage: { inputTokens: 12_000, cacheTokens: 345, outputTokens: 450, model: 'opus' },
    window: 200_000,
    percent: 6,
  },
  ...more,
})

const turn = (label: string): SessionTurnView => ({
  label,
  parent: '0',
  conversation: 'c1',
  agent: 'a',
  prompt: `prompt ${label}`,
  startedAt: now - 60_000,
  endedAt: now,
  reason: 'idle',
  model: null,
  costUsd: null,
  isCurrent: true,
  hasFiles: true,
})

const trust = {
  id: 'screen:trust:1',
  kind: 'question' as const,
  tool: 'trust',
  input: { dialog: 'Accessing workspace:\nOne you trust?\n❯ 1. Yes, I trust this folder\n  2. No, exit' },
  summary: 'Accessing workspace: One you trust? 1. Yes, I trust this folder 2. No, exit',
  options: ['Yes, I trust this folder', 'No, exit'],
}

const topOf = (...agents: AgentView[]): Top => withAgents(emptyTop, agents)
const shown = (top: Top, columns = 140, rows = 24): string[] =>
  view(top, { columns, rows }, now).map((line) => paint(line, columns, plain).trimEnd())
const pressed = (top: Top, ...keys: string[]): [Top, Command | null] =>
  keys.reduce<[Top, Command | null]>(([before], key) => press(before, key), [top, null])

describe('the view', () => {
  test('leaves out the digits of a project, unless two have the same name', () => {
    const one = topOf(agent('ada', { project: 'shop-33c5c5' }))
    expect(shown(press(one, 't')[0]).join('\n')).not.toContain('33c5c5')
    expect(shown(press(one, 't')[0]).at(-1)).toContain('tell shop/ada:')
    const two = topOf(agent('ada', { project: 'shop-33c5c5' }), agent('bob', { project: 'shop-9a0b1c' }))
    expect(shown(two).join('\n')).toContain('── shop-33c5c5/ada ')
    expect(shown(two).join('\n')).toContain('shop-9a0b1c')
  })

  test('shows a row for each agent and the selected one in detail', () => {
    const lines = shown(
      topOf(
        agent('beta', { state: 'awaiting_permission', question }),
        agent('alpha', { state: 'limited', until: now + 60_000, crashes: 2 }),
      ),
    )
    expect(lines[0]).toMatch(/^rein top 2 agents · 1 asks · 1 limited +12:00:00$/)
    expect(lines[1]).toMatch(/^ {2}HANDLE +PROJECT +DRIVER +HOST +STATE +INBOX +CTX +IN\/OUT +TROUBLE +LAST$/)
    expect(lines[2]?.split(/ {2,}/)).toEqual([
      '› alpha',
      'shop',
      'claude',
      'tmux',
      '◷ limited 2m, until 12:01:00',
      '3 open',
      '6%',
      '12.3k/450',
      '2 crashes',
      '→ Bash npm test',
    ])
    expect(lines[3]).toMatch(/^ {2}beta .* \? asks you 2m /)
    expect(lines.slice(4, 8)).toEqual([
      expect.stringMatching(/^── shop\/alpha ─+$/),
      'limited 2m, until 12:01:00 · claude 2.1.197 on tmux · opus · context 6 % · 2 crashes · /src/shop',
      'All tests pass.',
      'I will look at the cart now.',
    ])
    expect(lines.at(-1)).toMatch(/^t tell {2}⏎ attach .* \? help {2}q quit$/)
  })

  test('shows the end of the terminal, as wide as there is room, and what it was told', () => {
    const rule = '─'.repeat(220)
    const told = (state: ReceiptState, excerpt: string, age: number): InboxItemView => ({
      id: 'dir_1',
      handle: 'a',
      project: 'shop',
      state,
      type: 'directive',
      priority: 'normal',
      from: 'ada',
      at: now - age,
      expiresAt: null,
      length: 5,
      excerpt,
    })
    const screen = [...Array.from({ length: 30 }, (_, n) => `line ${n}`), `● ${'word '.repeat(30)}end`, rule, '❯ ']
    const items = [
      told('placed', 'Use the cart.', 5_000),
      told('seen', 'Hurry.', 60_000),
      told('held', 'Wait.', 70_000),
    ]
    const top = { ...withPreview(topOf(agent('a')), 'shop/a', screen, false), told: { target: 'shop/a', items } }
    const lines = shown(top, 120, 20)
    expect(lines).toEqual(expect.arrayContaining(['✉ queued › offered › placed › seen › acked 5s  Use the cart.']))
    expect(lines).toContain('✉ queued › offered › placed › seen › acked 1m  Hurry.')
    expect(lines).toContain('✉ held 1m  Wait.')
    expect(lines.slice(-5, -1)).toEqual([
      expect.stringMatching(/^● word /),
      expect.stringMatching(/^(word )+end$/),
      `${'─'.repeat(119)}…`,
      '❯',
    ])
    expect(shown(top, 80)).toContain('✉ q › o › placed › s › a 5s  Use the cart.')
    const green = view(top, { columns: 120, rows: 20 }, now).flatMap((line) =>
      line.filter(({ tone }) => tone === 'green'),
    )
    expect(green.map(({ text }) => text)).toContain('seen')
  })

  test('shows what is asked in full, with all of its input', () => {
    const input = { command: 'cat <<EOF\none\ntwo\nEOF', timeout: 5 }
    const asking = agent('a', {
      state: 'awaiting_permission',
      question: { ...question, input, options: ['Yes', 'No'] },
    })
    const lines = shown(topOf(asking)).join('\n')
    expect(lines).toContain('asks: Bash: rm -rf build\n  command: cat <<EOF\none\ntwo\nEOF\n  timeout: 5')
    expect(lines).toContain('  1. Yes\n  2. No')
  })

  test('shows a dialog on the screen once, with the number of each option', () => {
    const asking = agent('a', { state: 'awaiting_answer', question: trust })
    const screen = withPreview(topOf(asking), 'shop/a', trust.input.dialog.split('\n'), true)
    for (const top of [topOf(asking), screen]) {
      const lines = shown(top).join('\n')
      expect(lines).toContain(
        'asks: trust\nAccessing workspace:\nOne you trust?\n❯ 1. Yes, I trust this folder\n  2. No, exit',
      )
      expect(lines.match(/One you trust/g)).toHaveLength(1)
      expect(lines.match(/No, exit/g)).toHaveLength(1)
    }
    const bare = { ...trust, input: { dialog: 'Trust it?\n> yes' }, options: ['yes', 'no'] }
    expect(shown(topOf(agent('a', { question: bare }))).join('\n')).toContain('Trust it?\n> yes\n  1. yes\n  2. no')
  })

  test('shows what a turn cost only where that is known', () => {
    const usage = { inputTokens: 10, outputTokens: 2, model: null }
    const paid = agent('a')
    const { detail } = paid
    const top = topOf({ ...paid, ...(detail && { detail: { ...detail, usage: { ...usage, costUsd: 0.128 } } }) })
    expect(shown(top)[1]).toContain('COST')
    expect(shown(top).join()).toContain('context 6 % · $0.13')
    expect(shown(topOf(paid))[1]).not.toContain('COST')
  })

  test('says what a state leads to', () => {
    const stateOf = (more: Partial<AgentView>): string => (shown(topOf(agent('a', more)))[4] ?? '').replace(/ · .*/, '')
    expect(stateOf({ state: 'crashed', until: now + 8_000 })).toBe('crashed 2m, again in 8s')
    expect(stateOf({ state: 'working', isPaused: true })).toBe('working 2m, then paused')
    expect(stateOf({ state: 'paused', isPaused: true })).toBe('paused 2m')
  })

  test('leaves out columns on a narrow terminal, the least important first', () => {
    const heads = (columns: number): string[] => (shown(topOf(agent('a')), columns)[1] ?? '').trim().split(/ +/)
    expect(heads(60)).toEqual(['HANDLE', 'PROJECT', 'STATE', 'INBOX', 'CTX', 'LAST'])
    expect(heads(30)).toEqual(['HANDLE', 'STATE'])
  })

  test('scrolls a long list to the selected one', () => {
    const many = Array.from({ length: 50 }, (_, n) => agent(`agent-${String(n).padStart(2, '0')}`))
    const [top] = pressed(topOf(...many), 'end')
    const lines = shown(top)
    expect(lines.find((line) => line.startsWith('›'))).toContain('agent-49')
    expect(lines).toHaveLength(24)
  })

  test('is never larger than the terminal, and nothing in it steers it', () => {
    const nasty = fc.string({
      unit: fc.constantFrom('a', '漢', '🚀', '\u001b[2J', '\u0007', '\n', '\t', '\r', '\u009b', '\u202e', '❤️', 'é'),
    })
    const agents = fc.array(
      fc.record({ text: nasty, state: fc.constantFrom(...agentStates), handle: fc.constantFrom('a', 'b', 'c') }),
      { maxLength: 4 },
    )
    const size = fc.record({ columns: fc.integer({ min: 1, max: 120 }), rows: fc.integer({ min: 2, max: 40 }) })
    const keys = fc.array(
      fc.constantFrom('down', '?', '/', 'a', 'l', 'y', 'x', 'escape', 'r', 't', 'n', 'w', 'R', 'pagedown'),
      {
        maxLength: 5,
      },
    )
    fc.assert(
      fc.property(agents, size, keys, (some, { columns, rows }, strokes) => {
        const views = some.map(({ text, state, handle }) =>
          agent(handle, {
            state,
            project: text,
            cwd: text,
            question: { ...question, tool: text, summary: text, input: { [text]: text } },
            detail: { last: { kind: 'text', text }, said: text, usage: null, window: null, percent: null },
          }),
        )
        const text = some[0]?.text ?? ''
        const turned = withTurns(withPreview(topOf(...views), `${text}/a`, text.split('\n'), false), `${text}/a`, [
          { ...turn('1'), prompt: text },
        ])
        const [top] = pressed(strokes.includes('R') ? turned : topOf(...views), ...strokes)
        const lines = view(top, { columns, rows }, now).map((line) => paint(line, columns, plain))
        expect(lines).toHaveLength(rows)
        for (const line of lines) {
          expect(cellWidth(line)).toBeLessThanOrEqual(columns)
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('logs follow their end, and stay in sight once scrolled back', () => {
    const [followed, command] = pressed(topOf(agent('a')), 'l')
    expect(command).toEqual({ kind: 'follow', target: 'shop/a' })
    const numbers = Array.from({ length: 100 }, (_, n) => `line ${n}`)
    const top = withLog(followed, numbers)
    expect(shown(top).slice(1, -1).at(-1)).toBe('line 99')
    const [back] = pressed(top, 'pageup')
    expect(shown(back).slice(1, -1).at(-1)).toBe('line 89')
    expect(
      shown(withLog(back, ['news']))
        .slice(1, -1)
        .at(-1),
    ).toBe('line 89')
    expect(pressed(back, 'q')).toEqual([expect.objectContaining({ mode: { kind: 'list' } }), { kind: 'unfollow' }])
  })
})

test('news for which the terminal rings', () => {
  const before = topOf(agent('a', { state: 'working' }), agent('b', { question }), agent('c'))
  const news = (more: Partial<AgentView>) =>
    noticesIn(
      before,
      topOf(agent('a', { state: 'working', ...more }), agent('b', { question }), agent('d', { question })),
    )
  expect(news({})).toEqual([])
  expect(news({ question })).toEqual(['asks'])
  expect(news({ state: 'idle' })).toEqual(['done'])
  expect(news({ state: 'looping' })).toEqual(['crashed'])
  expect(news({ state: 'limited' })).toEqual(['limited'])
})

describe('keys', () => {
  const top = topOf(agent('a'), agent('b', { state: 'awaiting_permission', question }), agent('c'))

  test('move the selection, which stays with its agent', () => {
    expect(pressed(top, 'j', 'down', 'down', 'k')[0].selected).toBe('shop/b')
    const [there] = pressed(top, 'j')
    expect(withAgents(there, [agent('0'), ...there.agents]).selected).toBe('shop/b')
    const without = withAgents(there, [agent('a'), agent('c')])
    expect(press(without, 'r')).toEqual([without, null])
    expect(shown(without).some((line) => line.startsWith('›'))).toBe(false)
    expect(withAgents(without, there.agents)).toEqual(there)
    expect(withAgents(there, []).selected).toBeNull()
  })

  test('ask for what is done outside', () => {
    const target = 'shop/a'
    expect(press(top, 'enter')[1]).toEqual({ kind: 'attach', target })
    expect(press(top, 'p')[1]).toEqual({ kind: 'pause', target })
    expect(press(topOf(agent('a', { isPaused: true })), 'p')[1]).toEqual({ kind: 'unpause', target })
    expect(press(top, 'r')[1]).toBeNull()
    expect(pressed(top, 'r', 'y')[1]).toEqual({ kind: 'restart', target })
    expect(pressed(top, 'r', 'n')).toEqual([top, null])
    expect(press(top, 'q')[1]).toEqual({ kind: 'quit' })
    expect(pressed(top, '/', 'ctrl-c')[1]).toEqual({ kind: 'quit' })
  })

  test('tell, start and stop', () => {
    const [told, tell] = pressed(top, 't', 'H', 'i', 'enter')
    expect([told.mode.kind, tell]).toEqual(['list', { kind: 'tell', target: 'shop/a', text: 'Hi' }])
    const [writing] = pressed(top, 't')
    expect(shown(paste(writing, 'two\nlines')).at(-1)).toMatch(/^tell shop\/a: two lines█/)
    expect(pressed(top, 't', 'H', 'escape')).toEqual([top, null])
    expect(paste(top, 'xy')).toEqual(top)
    expect(pressed(top, 'n', 'w', '1', 'enter', 'g', 'o', 'enter')[1]).toEqual({
      kind: 'start',
      handle: 'w1',
      prompt: 'go',
    })
    expect(shown(pressed(top, 'n', 'W', 'enter')[0]).at(-1)).toContain('A handle is made of')
    expect(pressed(top, 'x')[1]).toBeNull()
    expect(pressed(top, 'x', 'y')[1]).toEqual({ kind: 'down', target: 'shop/a' })
    expect(press(top, 'i')[1]).toEqual({ kind: 'interrupt', target: 'shop/a' })
  })

  test('rewind to a turn that is chosen and confirmed', () => {
    expect(press(top, 'R')[1]).toEqual({ kind: 'listTurns', target: 'shop/a' })
    const listed = withTurns(top, 'shop/a', [turn('1'), turn('2'), { ...turn('2b'), isCurrent: false }, turn('3')])
    expect(shown(listed).slice(1, 5)).toEqual([
      'Rewind to the end of which turn?',
      '    1    1m  prompt 1',
      '›   2    1m  prompt 2',
      '    3    1m  prompt 3',
    ])
    expect(pressed(listed, 'up', 'enter', 'y')[1]).toEqual({ kind: 'rewind', target: 'shop/a', turn: '1' })
    expect(pressed(listed, 'escape')).toEqual([top, null])
    // The person has moved on meanwhile.
    expect(withTurns(pressed(top, 'j')[0], 'shop/a', [turn('1')]).mode.kind).toBe('list')
  })

  test('answer only the question that was shown', () => {
    const answer = { kind: 'answer', target: 'shop/b', answer: 'allow', question: 'q1' }
    const [asked, nothing] = pressed(top, 'j', 'a')
    expect(nothing).toBeNull()
    expect(shown(asked).at(-1)).toBe('y = allow, n = deny, w = in words, any other key = back · Bash: rm -rf build')
    expect(press(asked, 'y')[1]).toEqual(answer)
    expect(press(asked, 'n')[1]).toEqual({ ...answer, answer: 'deny' })
    expect(press(asked, 'a')[1]).toBeNull()
    expect(pressed(asked, 'w', 'N', 'o', 'enter')[1]).toEqual({ ...answer, answer: 'No' })
    const changed = withAgents(asked, [agent('b', { question: { ...question, id: 'q2' } })])
    expect(press(changed, 'y')).toEqual([
      expect.objectContaining({ notice: expect.stringContaining('no longer') }),
      null,
    ])
    expect(pressed(top, 'a')[0].notice).toBe('a asks nothing.')
    const free = topOf(agent('a', { question: { ...question, kind: 'question' } }))
    expect(shown(pressed(free, 'a')[0]).at(-1)).toMatch(/^answer shop\/a: █/)
    const choice = topOf(agent('a', { question: { ...question, kind: 'question', options: ['Yes', 'No'] } }))
    expect(pressed(choice, 'a', '3')[1]).toBeNull()
    expect(pressed(choice, 'a', '2')[1]).toEqual({ ...answer, target: 'shop/a', answer: '2' })
  })

  test('filter by project, handle, driver and state', () => {
    const [filtered] = pressed(top, '/', 'A', 's', 'x', 'backspace', 'k', 'enter')
    expect(shown(filtered)[0]).toContain('filter "Ask"')
    expect(shown(filtered).filter((line) => /^[› ] [abc] /.test(line))).toEqual([expect.stringMatching(/^› b /)])
    expect(pressed(filtered, 'escape')[0].filter).toBe('')
    expect(shown(pressed(top, '/', 'z')[0])[1]).toBe('No agent matches the filter.')
  })
})
