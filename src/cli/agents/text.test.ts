import { describe, expect, test } from 'vitest'
import type { AgentView } from '../../contract/routes/agents.ts'
import type { Receipt } from '../../contract/directive.ts'
import type { AnyRecord } from '../../contract/record.ts'
import { aDirective } from '../../../test/support/builders.ts'
import { renderPart } from '../../features/inbox/fence.ts'
import { endsLast } from './logs.ts'
import { agentLine, agentTable } from './text.ts'
import { createStyle } from '../output.ts'
import { receiptText } from '../directives/text.ts'
import { turnLines } from '../sessions/turn-text.ts'

const plain = createStyle(false)
const place = { style: plain, cwd: '/src/shop' }
const now = new Date(2026, 0, 2, 12, 0, 0).getTime()

const agent: AgentView = {
  handle: 'worker-1',
  project: 'shop',
  driver: 'claude',
  version: '2.1.197',
  host: 'stream',
  state: 'working',
  since: now - 120_000,
  cwd: '/src/shop',
  pid: 42,
  conversation: 'c1',
  question: null,
  inbox: { queued: 2, offered: 0, placed: 1, seen: 0, acked: 0 },
  until: null,
  isPaused: false,
  pauseReason: null,
  crashes: 0,
  health: { hooks: 'heard', failures: 0, healed: 0 },
  evidence: null,
  weakened: [],
  wake: 'protocol',
}

describe('agents', () => {
  test('are a table', () => {
    const [header, row] = agentTable([agent], now, place).split('\n')
    expect(header).toMatch(/^HANDLE +PROJECT +DRIVER +HOST +STATE +SINCE +PID +INBOX +CWD$/)
    expect(row?.split(/ {2,}/)).toEqual([
      'worker-1',
      'shop',
      'claude 2.1.197',
      'stream',
      'working',
      '2m',
      '42',
      '2 queued, 1 placed',
      '/src/shop',
    ])
  })

  test('none: how to start one', () => {
    expect(agentTable([], now, place)).toContain('rein up')
  })

  test('one that Rein has paused says why, and how it goes on', () => {
    expect(agentLine({ ...agent, state: 'paused', isPaused: true, pauseReason: 'It went in circles.' }, place)).toBe(
      'worker-1 (shop) is paused, pid 42\nworker-1 was stopped: It went in circles.\n  rein resume worker-1',
    )
  })

  test('one whose hooks are silent, or that was woken in vain, says so', () => {
    const health = { hooks: 'silent', failures: 2, healed: 0 } as const
    expect(
      agentTable([{ ...agent, health }], now, place)
        .split('\n')
        .slice(2),
    ).toEqual([
      'worker-1: its hooks are silent: nothing reaches it while it works. Check: rein doctor',
      'worker-1: its last 2 wakes had no effect',
    ])
  })

  test('one that has ended has no hooks that could be silent', () => {
    const health = { hooks: 'silent', failures: 2, healed: 0 } as const
    expect(agentLine({ ...agent, state: 'stopped', pid: null, health }, place)).toBe('worker-1 (shop) is stopped')
  })

  test('one that is idle, and that nobody listens for any more, says what that means', () => {
    const noteOf = (more: Partial<AgentView>) => agentTable([{ ...agent, ...more }], now, place).split('\n')[2]
    expect(noteOf({ state: 'idle', wake: 'none' })).toBe('worker-1: it cannot be woken until its next turn')
    expect(noteOf({ state: 'idle', wake: 'keys_instead' })).toBe(
      'worker-1: to wake it, Rein types into its terminal until its next turn',
    )
    expect([noteOf({ state: 'working', wake: 'none' }), noteOf({ state: 'idle', wake: 'keys' })]).toEqual([
      undefined,
      undefined,
    ])
  })

  test('one that asks shows what, and how to answer', () => {
    const question = { id: 'q', kind: 'permission', tool: 'Bash', input: {}, summary: 'rm -rf \u001b[2Jbuild' } as const
    expect(agentLine({ ...agent, state: 'awaiting_permission', question }, place)).toBe(
      "worker-1 (shop) is awaiting permission, pid 42\nworker-1 asks: Bash: rm -rf \\u{1b}[2Jbuild\n  rein answer worker-1 allow\n  rein answer worker-1 deny\n  rein answer worker-1 'Try another way.'  deny it and say why, in your own words",
    )
  })
})

test('the table of agents fits its terminal, and counts notices apart', () => {
  const inbox = { ...agent.inbox, queued: 0, placed: 0, notices: 1 }
  const long = { ...agent, project: 'shop-3cce40', inbox, cwd: `/home/ada/${'deep/'.repeat(20)}shop` }
  const [header = '', row = ''] = agentTable([long], now, { ...place, columns: 100 }).split('\n')
  expect([header.length <= 100, row.length <= 100, row.endsWith('…')]).toEqual([true, true, true])
  expect(row).toMatch(/^worker-1 +shop +claude .* 1 notices? /)
  expect(agentTable([long], now, place)).toContain('deep/shop')
})

test('a receipt is one line a step; on request with its evidence', () => {
  const receipt: Receipt = {
    id: 'dir_1',
    handle: 'worker-1',
    state: 'acked',
    steps: [
      { state: 'queued', at: now },
      { state: 'offered', at: now + 1000, attempt: 1, via: 'context', parts: [1] },
      { state: 'seen', at: now + 2000, evidence: { source: 'transcript', entry: 'e1', descendant: 'e2' } },
      { state: 'queued', at: now + 3000, reason: 'left_context' },
      { state: 'acked', at: now + 4000, note: 'done\nand dusted', evidence: { source: 'command' } },
    ],
  }
  const view = { now, style: plain }
  expect(receiptText(receipt, view)).toBe(
    [
      'dir_1 for worker-1: acked',
      '  12:00:00  queued',
      '  12:00:01  offered',
      '  12:00:02  seen',
      '  12:00:03  queued     left context',
      '  12:00:04  acked      “done and dusted”',
    ].join('\n'),
  )
  expect(receiptText(receipt, { ...view, isVerbose: true })).toBe(
    [
      'dir_1 for worker-1: acked',
      '  12:00:00  queued',
      '  12:00:01  offered    attempt 1; in a hook reply; part 1',
      '  12:00:02  seen       transcript: entry e1, answered by e2',
      '  12:00:03  queued     left context',
      '  12:00:04  acked      command; “done and dusted”',
    ].join('\n'),
  )
})

describe('turns', () => {
  const lines = (type: string, body: object): string[] =>
    turnLines({ type, body: { conversation: 'c', turn: 't', ...body }, at: now } as AnyRecord, now, {
      style: plain,
      isAgent: false,
    })

  test('end after their last words, also where the CLI wrote these late', async () => {
    const record = (type: string, turn: string): AnyRecord => ({ type, body: { turn } }) as AnyRecord
    async function* late(): AsyncGenerator<AnyRecord> {
      for (const each of ['started a', 'ended a', 'entry a', 'started b', 'entry b', 'ended b']) {
        const [type = '', turn = ''] = each.split(' ')
        yield record(`turn.${type}`, turn)
      }
    }
    const order: string[] = []
    for await (const { type } of endsLast(late())) order.push(type.slice('turn.'.length))
    expect(order.join(' ')).toBe('started entry ended started entry ended')
  })

  test('begin with the prompt and end with what they cost', () => {
    expect(lines('turn.started', { prompt: 'Fix it' })).toEqual(['12:00:00 › Fix it'])
    expect(
      lines('turn.ended', { reason: 'end_turn', usage: { inputTokens: 10, outputTokens: 2, model: 'm' } }),
    ).toEqual(['12:00:00 ■ end_turn, 10 tokens in, 2 out (m)'])
  })

  test('show text in full, and the rest in short', () => {
    const blocks = [
      { type: 'thinking', thinking: 'well\nwell' },
      { type: 'text', text: 'Two\nlines' },
      { type: 'tool_use', id: '1', name: 'Bash', input: { command: 'ls\n-la', timeout: 3 } },
      { type: 'tool_use', id: '2', name: 'Odd\u001b[2J', input: { n: 1 } },
      { type: 'tool_result', id: '1', text: 'x'.repeat(500), isError: true },
      { type: 'context', source: 'rein', text: 'told' },
      { type: 'context', source: 'PostToolBatch', text: renderPart(aDirective({ from: 'ada', text: 'Use tabs.' }), 1) },
      { type: 'other', raw: {} },
    ]
    expect(lines('turn.entry', { role: 'assistant', blocks })).toEqual([
      '  … well well',
      'Two\nlines',
      '  → Bash ls -la',
      '  → Odd\\u{1b}[2J {"n":1}',
      `  ← ${'x'.repeat(119)}…`,
      '  + rein: told',
      expect.stringMatching(/^ {2}✉ ada told it: Use tabs\. \(\S+\)$/),
    ])
  })

  test('name sub-agents; other records are not theirs', () => {
    expect(lines('turn.subagent_started', { kind: 'Explore', description: 'look' })).toEqual(['  ↳ Explore: look'])
    expect(lines('turn.subagent_stopped', { result: 'found' })).toEqual(['  ↲ found'])
    expect(lines('agent.created', {})).toEqual([])
  })
})
