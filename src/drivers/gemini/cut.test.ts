import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import { cut } from './cut.ts'
import { cutLines } from './cut-lines.ts'
import { TranscriptReader } from './reader.ts'
import { locate } from './transcript.ts'

const fixture = (name: string): string[] =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/gemini/0.61.0', `${name}.jsonl`), 'utf8').split('\n')

const fresh = '11111111-2222-4333-8444-555555555555'

const entriesIn = (lines: readonly string[]): ConversationEntry[] => {
  const reader = new TranscriptReader()
  return lines.flatMap((line) => reader.read(line))
}

/** What the CLI makes of it when it takes the conversation up: role and parts, as it reads them. */
const takenUp = (lines: readonly string[]): string[] =>
  lines.slice(1).map((line) => {
    const { type, content, toolCalls, thoughts } = JSON.parse(line) as Record<string, unknown>
    expect([toolCalls, thoughts]).toEqual([undefined, undefined])
    const parts = content as { text?: string; functionCall?: { id: string }; functionResponse?: { id: string } }[]
    const shown = parts.map(
      (part) =>
        part.text ??
        `${part.functionCall?.id.slice(-6)}${part.functionResponse ? `=${part.functionResponse.id.slice(-6)}` : ''}`,
    )
    return `${String(type)}: ${shown.join(' | ').replaceAll(/undefined/g, '')}`
  })

const leafOf = (lines: readonly string[], text: string): string =>
  entriesIn(lines).find((entry) => entry.kind === 'assistant' && entry.text === text)?.id ?? ''

describe('as it was, whatever the CLI wrote', () => {
  test('headless: each call stands where it was made, each result once', () => {
    const lines = fixture('headless')
    const { lines: kept, damaged } = cutLines(lines, leafOf(lines, 'done'), fresh)
    expect(takenUp(kept)).toEqual([
      'user: RUN:echo one ;; RUN:echo two ;; SAY:done | <hook_context>CTX-PROMPT one\n&lt;b&gt; & &amp;lt;</hook_context>',
      'gemini: 9762_0',
      'user: =9762_0',
      'gemini: 9884_0',
      'user: =9884_0',
      'gemini: done',
    ])
    expect(damaged).toEqual([])
  })

  test('in a terminal: parallel calls, a refused one, and what was cancelled is gone', () => {
    const lines = fixture('terminal')
    const kept = takenUp(cutLines(lines, leafOf(lines, 'after cancel'), fresh).lines)
    expect(kept.filter((line) => line.startsWith('gemini'))).toEqual([
      'gemini: 5999_0 | 6046_1',
      'gemini: both',
      'gemini: 8578_0',
      'gemini: was denied',
      'gemini: first stop',
      'gemini: went on',
      'gemini: after cancel',
    ])
    expect(kept[0]).toMatch(/^user: PAR:echo one && echo two ;; SAY:both \| <hook_context>/)
  })

  test('calls are told apart, also where one name begins with the other', () => {
    const call = (id: string) => ({ id, name: 'run_shell_command', args: {} })
    const answer = (id: string) => ({ functionResponse: { id, name: 'run_shell_command', response: { output: id } } })
    const ids = ['c_1', 'c_10', 'c_100']
    const written = [
      { sessionId: 's', projectHash: 'p' },
      { id: 'u', type: 'user', content: [{ text: 'go' }] },
      { id: 'g', type: 'gemini', model: 'm', content: '', tokens: {}, toolCalls: ids.map(call) },
      { id: 'r', type: 'user', content: ids.map(answer) },
      { id: 'e', type: 'gemini', model: 'm', content: 'end' },
    ].map((line) => JSON.stringify(line))
    const kept = takenUp(cutLines(written, 'e:reply', fresh).lines)
    expect(kept).toEqual(['user: go', 'gemini: c_1 | c_10 | c_100', 'user: =c_1 | =c_10 | =c_100', 'gemini: end'])
  })

  test('a call that has no result is left out', () => {
    const lines = fixture('terminal')
    const call = entriesIn(lines).find(({ blocks }) => blocks.some((block) => block.type === 'tool_use'))
    expect(takenUp(cutLines(lines, call?.id ?? '', fresh).lines)).toHaveLength(1)
  })

  test('before a compaction it has everything, after it the summary', () => {
    const lines = fixture('compaction')
    const before = takenUp(cutLines(lines, leafOf(lines, 'big-3'), fresh).lines)
    expect(before).toHaveLength(6)
    const after = takenUp(cutLines(lines, leafOf(lines, 'after'), fresh).lines)
    expect(after[0]).toContain('SUMMARY-MARK')
    expect(after.join('\n')).not.toContain('big-3')
  })

  test('cut again it is the same', () => {
    for (const name of ['headless', 'terminal', 'compaction']) {
      const once = cutLines(fixture(name), entriesIn(fixture(name)).findLast(({ isReply }) => isReply)?.id ?? '', fresh)
      const again = cutLines(once.lines, entriesIn(once.lines).at(-1)?.id ?? '', fresh)
      expect(again.lines).toEqual(once.lines)
    }
  })
})

describe('refusals', () => {
  const lines = fixture('headless')

  test('an entry that is not there, and a line before it that cannot be read', () => {
    expect(() => cutLines(lines, 'nowhere', fresh)).toThrow('no entry')
    expect(() => cutLines(lines.with(5, '{"id'), leafOf(lines, 'done'), fresh)).toThrow('cannot be read in line 6')
    expect(cutLines(lines.with(25, '{"id'), leafOf(lines, 'done'), fresh).damaged).toEqual([26])
  })

  test.each(['/tmp is full', '? why'])('a prompt that the CLI would leave out: %s', (prompt) => {
    const odd = lines.map((line) => line.replace('RUN:echo one ;; RUN:echo two', prompt))
    expect(() => cutLines(odd, leafOf(odd, 'done'), fresh)).toThrow('does not take up again')
  })
})

describe('where it is put', () => {
  const place = (): { request: Parameters<typeof cut>[0]; home: string; cwd: string } => {
    const home = tempDir()
    const cwd = join(home, 'project')
    const transcript = join(home, '.gemini/tmp/project/chats/session-2026-11-16T02-10-33619689.jsonl')
    for (const dir of [cwd, dirname(transcript)]) mkdirSync(dir, { recursive: true })
    writeFileSync(join(home, '.gemini/tmp/project/.project_root'), cwd)
    writeFileSync(transcript, fixture('headless').join('\n'))
    const after = leafOf(fixture('headless'), 'done')
    const conversation = '33619689-e204-47c5-99b6-fb7b4c51e208'
    const installed = { path: 'gemini', version: '0.61.0' }
    const request = { conversation, transcript, after, newConversation: fresh, cwd, env: { HOME: home }, installed }
    return { home, cwd, request }
  }

  test('beside the source', async () => {
    const { cwd, home, request } = place()
    const made = await cut(request)
    expect(made.transcript).toBe(locate(fresh, cwd, { HOME: home }))
    expect(dirname(made.transcript)).toBe(dirname(request.transcript))
  })

  test('for a directory that the CLI has not been in', async () => {
    const { home, request } = place()
    const elsewhere = join(home, 'work tree')
    mkdirSync(elsewhere)
    const made = await cut({ ...request, cwd: elsewhere })
    expect(made.transcript).toBe(locate(fresh, elsewhere, { HOME: home }))
  })
})
