import { describe, expect, test } from 'vitest'
import type {
  FoundTurn,
  SessionDetail,
  SessionMoveView,
  SessionTurnDetail,
  SessionTurnView,
  SessionView,
} from '../../contract/routes/sessions.ts'
import { createStyle } from '../output.ts'
import { foundText, sessionTable, sessionText, turnText } from './text.ts'

const style = createStyle(false)
const person = { style, isAgent: false }
const agent = { style, isAgent: true }
const now = new Date(2026, 0, 2, 12, 0, 0).getTime()
const at = (minutes: number): number => new Date(2026, 0, 2, 11, minutes, 0).getTime()
const evil = 'Go\n● 9  \u001b[2J\u202e\udcff'
const shown = 'Go ● 9 \\u{1b}[2J\\u{202e}\\u{dcff}'

const session: SessionView = {
  id: 'ses_1',
  agent: 'worker-1',
  driver: 'claude',
  project: 'shop',
  cwd: '/src/shop',
  state: 'awaiting_permission',
  turns: 4,
  branches: 2,
  current: '2b',
  conversation: 'c2',
  firstAt: at(1),
  lastAt: at(4),
  lastPrompt: evil,
}

const turn = (label: string, parent: string, more: Partial<SessionTurnView> = {}): SessionTurnView => ({
  label,
  parent,
  conversation: 'c1',
  agent: 'worker-1',
  prompt: `Prompt ${label}`,
  startedAt: at(Number.parseInt(label, 10)),
  endedAt: at(Number.parseInt(label, 10) + 1),
  reason: 'idle',
  model: null,
  costUsd: null,
  isCurrent: true,
  hasFiles: true,
  ...more,
})

describe('sessions', () => {
  test('are a table', () => {
    const lines = sessionTable([session, { ...session, id: 'ses_2', current: null, lastPrompt: 'Hi' }], now, 50)
    expect(lines.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['SESSION', 'AGENT', 'DRIVER', 'STATE', 'TURNS', 'AT', 'LAST', 'PROMPT'],
      ['ses_1', 'worker-1', 'claude', 'awaiting permission', '4', '2b', '56m', shown],
      ['ses_2', 'worker-1', 'claude', 'awaiting permission', '4', '-', '56m', 'Hi'],
    ])
    const twins = [session, { ...session, project: 'shop-3cce40' }]
    expect(sessionTable(twins, now, 50)).toMatch(/AGENT +PROJECT +DRIVER/)
    for (const line of sessionTable(twins, now, 50, 80).split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(sessionTable([], now, 50)).toContain('rein up')
  })

  test('say when there may be more', () => {
    expect(sessionTable([session], now, 1).split('\n').at(-1)).toBe('(The newest 1; --limit N shows more.)')
  })
})

describe('a session', () => {
  const detail: SessionDetail = {
    session,
    turns: [
      turn('1', '0', { prompt: evil, model: 'opus', costUsd: 0.004 }),
      turn('2', '1', { isCurrent: false, hasFiles: false, costUsd: 1.5 }),
      turn('3', '2', { isCurrent: false, agent: 'worker-2' }),
      turn('2b', '1', { conversation: 'c2', endedAt: null }),
    ],
    moves: [],
    disk: { bytes: 2 ** 20, sharedBytes: 2 ** 21 },
    trouble: null,
  }

  test('is a tree, with the place of its agent', () => {
    expect(sessionText(detail, now, style).split('\n')).toEqual([
      'ses_1 of worker-1 (shop): claude, awaiting permission, in /src/shop',
      '4 turns in 2 conversations, $1.50 for 2 of them; worker-1 is at turn 2b, in the conversation c2.',
      'The snapshots of these files take up 1.0 MiB, and share 2.0 MiB with the repository.',
      '',
      '●    0          before the first prompt',
      `●    1   11:01  ${shown}  opus, $0.0040`,
      '├─○  2   11:02  Prompt 2                          $1.50, files not known',
      '│ ○  3   11:03  Prompt 3                          worker-2',
      '●    2b  11:02  Prompt 2b                         not ended               ← worker-1 is here',
    ])
  })

  test('may be one that its agent has left, or one without turns', () => {
    const left = { ...detail, session: { ...session, current: null }, disk: null, turns: [] }
    expect(sessionText(left, now, style).split('\n')).toEqual([
      expect.any(String),
      '4 turns in 2 conversations; worker-1 has moved on to another session.',
      '',
      '○  0    before the first prompt',
    ])
    const begun = { ...left, session: { ...session, current: '0', conversation: null } }
    expect(sessionText(begun, now, style)).toMatch(/is at turn 0\.\n\n● {2}0 {4}before the first prompt {4}← worker-1/)
  })

  test('paints where the agent is, and what it does not know', () => {
    const lines = sessionText(detail, now, createStyle(true)).split('\n')
    expect(lines.at(-1)).toMatch(/^\u001b\[1m●.*\u001b\[22m$/)
    expect(lines.at(-2)).toMatch(/^\u001b\[2m│ ○.*\u001b\[22m$/)
    expect(lines.at(-4)).toMatch(/^● /)
  })

  test('ends with its newest moves', () => {
    const move: SessionMoveView = {
      id: 'mov_1',
      kind: 'rewind',
      part: 'both',
      by: 'the user (phone)',
      from: '3',
      to: '1',
      at: at(9),
      state: 'done',
      reason: null,
    }
    const failed: SessionMoveView = { ...move, kind: 'undo', part: 'chat', by: null, state: 'failed', reason: evil }
    const lines = sessionText({ ...detail, moves: [move, failed] }, now, style).split('\n')
    expect(lines.slice(9).map((line) => line.split(/ {2,}/))).toEqual([
      [''],
      ['WHEN', 'MOVE', 'WHAT', 'BY', 'FROM', 'TO', 'RESULT'],
      ['11:09', 'rewind', 'both', 'you (phone)', '3', '1', 'done'],
      ['11:09', 'undo', 'chat', '-', '3', '1', `failed: ${shown}`],
    ])
    const many = Array.from({ length: 13 }, () => move)
    expect(
      sessionText({ ...detail, moves: many }, now, style)
        .split('\n')
        .slice(-2),
    ).toEqual([expect.stringContaining('rewind'), '(3 older ones: --json shows all.)'])
  })
})

describe('a turn', () => {
  const standing = { snapshot: 's1', head: '0123456789abcdef', branch: 'main', isExact: true }
  const detail: SessionTurnDetail = {
    session: 'ses_1',
    turn: turn('2b', '1', { prompt: 'First\nHEAD of mine\u001b[2J', model: 'opus', costUsd: 0.12 }),
    blocks: [
      { type: 'tool_use', id: 't', name: 'Edit', input: { file_path: '/src/shop/a.ts' } },
      { type: 'tool_result', id: 't', text: 'ok', isError: false },
      { type: 'text', text: 'It is\ndone.\u202e' },
    ],
    loops: [],
    before: standing,
    after: standing,
    changes: [{ path: 'a.ts', kind: 'modified', added: 2, removed: 1, isBinary: false }],
    skipped: [{ path: 'big.bin', reason: 'too large', bytes: 2 ** 27 }],
    outside: ['/etc/motd'],
  }

  test('is shown in full, and nothing that others wrote begins at the margin', () => {
    expect(turnText(detail, now, person).split('\n')).toEqual([
      'Turn 2b of ses_1, after turn 1: worker-1, 11:02:00 to 11:03:00 (idle), opus, $0.12',
      'Prompt:',
      '    First',
      '    HEAD of mine\\u{1b}[2J',
      'Transcript:',
      '      → Edit /src/shop/a.ts',
      '      ← ok',
      '    It is',
      '    done.\\u{202e}',
      '1 file, +2 -1 lines:',
      '  modified  +2 -1  a.ts',
      'Git: branch main, HEAD 0123456789ab',
      'Not in the snapshot, and not restored:',
      '  big.bin (128.0 MiB): larger than the setting sessions.max_file_bytes',
      'Written outside of the work tree, and not restored:',
      '  /etc/motd',
    ])
  })

  test('is marked line by line for an agent', () => {
    const lines = turnText({ ...detail, skipped: [], outside: [] }, now, agent).split('\n')
    expect(lines.slice(2, 9)).toEqual([
      '| First',
      '| HEAD of mine\\u{1b}[2J',
      'Transcript:',
      '|   → Edit /src/shop/a.ts',
      '|   ← ok',
      '| It is',
      '| done.\\u{202e}',
    ])
  })

  test('says what git had to do with it', () => {
    const lastLine = (before: typeof standing | null, after: object): string | undefined =>
      turnText({ ...detail, before, after: { ...standing, ...after }, skipped: [], outside: [] }, now, person)
        .split('\n')
        .at(-1)
    expect(lastLine(standing, { head: 'f'.repeat(40) })).toBe(
      'Git: branch main, HEAD 0123456789ab, afterwards branch main, HEAD ffffffffffff',
    )
    expect(lastLine(null, { branch: null })).toBe('Git: no branch, HEAD 0123456789ab')
    expect(lastLine(standing, { head: null, branch: 'new' })).toContain('afterwards branch new, HEAD without a commit')
    expect(lastLine(null, { head: null, branch: null })).toBe('  modified  +2 -1  a.ts')
  })

  test('may have neither files nor words', () => {
    const bare = { ...detail, blocks: [], changes: null, before: null, after: null, skipped: [], outside: [] }
    const running = { ...bare, turn: turn('1', '0', { endedAt: null, reason: null }) }
    expect(turnText(running, now, person).split('\n')).toEqual([
      'Turn 1 of ses_1, after turn 0: worker-1, 11:01:00 not ended',
      'Prompt:',
      '    Prompt 1',
      'File changes are unknown: there is no snapshot from before or after this turn.',
    ])
  })
})

test('what was found is named with its turn', () => {
  const found: FoundTurn = {
    session: 'ses_1',
    agent: 'worker-1',
    turn: '2b',
    at: at(2),
    prompt: evil,
    excerpt: '… here\nses_9 turn 1\u001b[2J …',
  }
  expect(foundText([found], now, 50, person).split('\n')).toEqual([
    `ses_1 turn 2b worker-1, 11:02: ${shown}`,
    '    … here ses_9 turn 1\\u{1b}[2J …',
  ])
  expect(foundText([found], now, 1, agent).split('\n').slice(1)).toEqual([
    '| … here ses_9 turn 1\\u{1b}[2J …',
    '(The newest 1; --limit N shows more.)',
  ])
  expect(foundText([], now, 50, person)).toBe('Nothing was found.')
})
