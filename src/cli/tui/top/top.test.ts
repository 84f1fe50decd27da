import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agentStates } from '../../../contract/agent.ts'
import type { AgentView } from '../../../contract/routes/agents.ts'
import { cellWidth } from '../../cells.ts'
import { createStyle } from '../../output.ts'
import { paint } from '../terminal/line.ts'
import { type Command, emptyTop, press, type Top, withAgents, withLog } from './model.ts'
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

const topOf = (...agents: AgentView[]): Top => withAgents(emptyTop, agents)
const shown = (top: Top, columns = 140, rows = 24): string[] =>
  view(top, { columns, rows }, now).map((line) => paint(line, columns, plain).trimEnd())
const pressed = (top: Top, ...keys: string[]): [Top, Command | null] =>
  keys.reduce<[Top, Command | null]>(([before], key) => press(before, key), [top, null])

describe('the view', () => {
  test('shows a row for each agent and the selected one in detail', () => {
    const lines = shown(
      topOf(
        agent('beta', { state: 'awaiting_permission', question }),
        agent('alpha', { state: 'limited', until: now + 60_000, crashes: 2 }),
      ),
    )
    expect(lines[0]).toMatch(/^rein top 2 agents · 1 limited, 1 awaiting permission +12:00:00$/)
    expect(lines[1]).toMatch(/^ {2}HANDLE +PROJECT +DRIVER +HOST +STATE +INBOX +CTX +IN\/OUT +TROUBLE +LAST$/)
    expect(lines[2]?.split(/ {2,}/)).toEqual([
      '› alpha',
      'shop',
      'claude',
      'tmux',
      'limited 2m, until 12:01:00',
      '2q 1p',
      '6%',
      '12.3k/450',
      '2 crashes',
      '→ Bash npm test',
    ])
    expect(lines[3]).toMatch(/^ {2}beta .* awaiting permission 2m /)
    expect(lines.slice(4, 10)).toEqual([
      expect.stringMatching(/^── shop\/alpha ─+$/),
      'limited 2m, until 12:01:00',
      'claude 2.1.197 on tmux, pid 42, in /src/shop',
      '12345 tokens in, 450 out, context 6 % of 200000 (opus) · inbox: 2 queued, 1 placed, 7 acked · 2 crashes',
      'All tests pass.',
      'I will look at the cart now.',
    ])
    expect(lines.at(-1)).toMatch(/^q quit {2}\? help/)
  })

  test('shows what is asked in full, with all of its input', () => {
    const input = { command: 'cat <<EOF\none\ntwo\nEOF', timeout: 5 }
    const asking = agent('a', {
      state: 'awaiting_permission',
      question: { ...question, input, options: ['Yes', 'No'] },
    })
    const lines = shown(topOf(asking)).join('\n')
    expect(lines).toContain('asks (permission) Bash: rm -rf build\n  command: cat <<EOF\none\ntwo\nEOF\n  timeout: 5')
    expect(lines).toContain('  1. Yes\n  2. No')
  })

  test('shows what a turn cost only where that is known', () => {
    const usage = { inputTokens: 10, outputTokens: 2, model: null }
    const paid = agent('a')
    const { detail } = paid
    const top = topOf({ ...paid, ...(detail && { detail: { ...detail, usage: { ...usage, costUsd: 0.128 } } }) })
    expect(shown(top)[1]).toContain('COST')
    expect(shown(top).join()).toContain('10 tokens in, 2 out, $0.13')
    expect(shown(topOf(paid))[1]).not.toContain('COST')
  })

  test('says what a state leads to', () => {
    const stateOf = (more: Partial<AgentView>): string => shown(topOf(agent('a', more)))[4] ?? ''
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
    const keys = fc.array(fc.constantFrom('down', '?', '/', 'a', 'l', 'y', 'x', 'escape', 'r', 'pagedown'), {
      maxLength: 4,
    })
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
        const [top] = pressed({ ...topOf(...views), trouble: null }, ...strokes)
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

  test('answer only the question that was shown, and only after a y', () => {
    const answer = { kind: 'answer', target: 'shop/b', answer: 'allow', question: 'q1' }
    const [asked, nothing] = pressed(top, 'j', 'a')
    expect(nothing).toBeNull()
    expect(shown(asked).at(-1)).toBe('y = allow, any other key = no · shop/b: Bash: rm -rf build')
    expect(press(asked, 'y')[1]).toEqual(answer)
    expect(press(asked, 'a')[1]).toBeNull()
    const changed = withAgents(asked, [agent('b', { question: { ...question, id: 'q2' } })])
    expect(press(changed, 'y')).toEqual([
      expect.objectContaining({ notice: expect.stringContaining('no longer') }),
      null,
    ])
    expect(pressed(top, 'a')[0].notice).toBe('a asks nothing.')
    const free = topOf(agent('a', { question: { ...question, kind: 'question' } }))
    expect(pressed(free, 'd')[0].notice).toContain('rein answer shop/a TEXT')
  })

  test('filter by project, handle, driver and state', () => {
    const [filtered] = pressed(top, '/', 'P', 'e', 'r', 'x', 'backspace', 'm', 'enter')
    expect(shown(filtered)[0]).toContain('filter "Perm"')
    expect(shown(filtered).filter((line) => /^[› ] [abc] /.test(line))).toEqual([expect.stringMatching(/^› b /)])
    expect(pressed(filtered, 'escape')[0].filter).toBe('')
    expect(shown(pressed(top, '/', 'z')[0])[1]).toBe('No agent matches the filter.')
  })
})
