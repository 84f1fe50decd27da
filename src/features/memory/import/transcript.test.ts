import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Transcript } from '../../../../test/support/transcript.ts'
import type { Found } from './history-reader.ts'
import { TranscriptHistory, type TranscriptKind } from './transcript.ts'

const recording = (path: string): Buffer => readFileSync(join(import.meta.dirname, '../../../../test/fixtures', path))
const readAll = (kind: TranscriptKind, bytes: Buffer): Found[] => {
  const reader = new TranscriptHistory(kind)
  return [...reader.push(bytes), ...reader.end()]
}
const essence = ({ command, exit, durationMs }: Found): unknown[] => [command, exit, durationMs]

describe('Claude Code', () => {
  test('a recording: command, directory, conversation', () => {
    expect(readAll('claude', recording('claude/2.1.197/run-say.jsonl'))).toEqual([
      {
        command: 'echo hi',
        at: 1_794_780_632_337,
        cwd: '/home/dev/project',
        exit: 0,
        durationMs: 62,
        session: '7e6fc98a-60ee-46d2-962f-857cf5602105',
        author: 'claude',
        outcome: 'ok',
        output: 'hi',
        key: 'toolu_015e23fd1d292c4315a6ae79',
      },
    ])
  })

  test('calls side by side get their own results', () => {
    const found = readAll('claude', recording('claude/2.1.197/parallel-tools.jsonl'))
    expect(new Set(found.map(({ command }) => command)).size).toBe(found.length)
    expect(found.map(({ exit }) => exit)).toEqual(found.map(() => 0))
  })

  const outcomeOf = (content: string, isError: boolean, toolUseResult: unknown = {}): number | null | 'not run' => {
    const written = new Transcript()
    written.call('make')
    written.result(content)
    const lines = written.lines.map((line) => line.replace('"is_error":false', `"is_error":${isError}`))
    const last = { ...(JSON.parse(lines.at(-1) ?? '') as object), toolUseResult }
    const [found] = readAll('claude', Buffer.from([...lines.slice(0, -1), JSON.stringify(last)].join('\n')))
    return found === undefined ? 'not run' : found.exit
  }

  test.each([
    ['done', false, {}, 0],
    ['Exit code 2\nmake: no rule', true, {}, 2],
    ['Error: Exit code 127\nnot found', true, {}, 127],
    ['Command timed out after 2m 0.0s', true, {}, null],
    ['Command running in background with ID: b1', false, { backgroundTaskId: 'b1' }, null],
    ['part', false, { interrupted: true }, null],
    ["The user doesn't want to proceed with this tool use.", true, {}, 'not run'],
  ])('%j, error %s %j: %s', (content, isError, result, exit) => {
    expect(outcomeOf(content, isError, result)).toBe(exit)
  })

  test('a call without a result was run, and how it ended is not known', () => {
    const written = new Transcript()
    written.call('sleep 100')
    expect(readAll('claude', Buffer.from(written.lines.join('\n')))).toMatchObject([
      { command: 'sleep 100', exit: null },
    ])
  })
})

describe('Codex', () => {
  test('a recording: what a hook denied was never run', () => {
    const found = readAll('codex', recording('codex/0.166.0/decisions.jsonl'))
    expect(found.map(essence)).toEqual([
      ['echo original', 0, 150],
      ['echo original', 0, 150],
    ])
    expect(found[0]).toMatchObject({
      cwd: '/home/dev/project',
      session: '01a1e20b-c9f2-7991-be67-fbf5df774980',
      author: 'codex',
    })
  })

  test('a recording: what was interrupted has no exit code', () => {
    const found = readAll('codex', recording('codex/0.166.0/errors-and-interrupts.jsonl'))
    expect(found.map(essence)).toContainEqual(['sleep 20', null, 300])
  })

  const call = (name: string, args: unknown, output: unknown): Found | undefined => {
    const item = (payload: unknown): string =>
      JSON.stringify({ timestamp: '2026-11-16T01:00:00.000Z', type: 'response_item', payload })
    const lines = [
      item({ type: 'function_call', name, arguments: JSON.stringify(args), call_id: 'c1' }),
      item({ type: 'function_call_output', call_id: 'c1', output }),
    ]
    return readAll('codex', Buffer.from(lines.join('\n')))[0]
  }

  test('the forms of older versions', () => {
    const json = JSON.stringify({ output: 'x', metadata: { exit_code: 2, duration_seconds: 0.5 } })
    expect(call('shell', { command: ['bash', '-lc', 'make a'], workdir: '/w' }, json)).toMatchObject({
      command: 'make a',
      cwd: '/w',
      exit: 2,
      durationMs: 500,
    })
    expect(call('shell', { command: ['git', 'commit', '-m', 'a b'] }, 'x')).toMatchObject({
      command: "git commit -m 'a b'",
      exit: null,
    })
    const text = 'Exit code: 1\nWall time: 0.2 seconds\nOutput:\nProcess exited with code 7'
    expect(call('shell_command', { command: 'make' }, text)).toMatchObject({ exit: 1, durationMs: 200 })
  })

  test('other tools are none of the shell', () => {
    expect(call('update_plan', { command: 'make' }, 'x')).toBeUndefined()
  })
})
