import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import { cut, cutLines } from './cut.ts'
import { format } from './transcript.ts'

const fixture = (name: string): string[] =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/codex/0.166.0', `${name}.jsonl`), 'utf8').split('\n')

const entriesIn = (lines: readonly string[]): ConversationEntry[] => {
  const read = format.reader() as (line: string) => ConversationEntry[]
  return lines.flatMap(read)
}

const old = '01a1e20a-7012-7bf3-a935-8e78a158a2e4'
const fresh = '11111111-2222-4333-8444-555555555555'
const lines = fixture('errors-and-interrupts')
const entry = (text: string): ConversationEntry => {
  const found = entriesIn(lines).find((one) => one.text === text)
  if (found === undefined) throw new Error(`There is no ${text}.`)
  return found
}

describe('lines', () => {
  test('up to the end of the turn; what goes to the model is the same in every byte', () => {
    const { lines: kept, damaged } = cutLines(lines, entry('gap done').id, old, fresh)
    expect(JSON.parse(kept.at(-1) ?? '')).toMatchObject({
      payload: { type: 'task_complete', last_agent_message: 'gap done' },
    })
    const isItem = (line: string): boolean => line.includes('"type":"response_item"')
    expect(kept.filter(isItem)).toEqual(lines.slice(0, kept.length).filter(isItem))
    expect(damaged).toEqual([])
  })

  test('under the new id everywhere else, and the entries have the names that they had', () => {
    const { lines: kept } = cutLines(lines, entry('gap done').id, old, fresh)
    expect(kept.join('\n')).not.toContain(old)
    expect(JSON.parse(kept[0] ?? '')).toMatchObject({ payload: { id: fresh, session_id: fresh } })
    const names = entriesIn(kept).map(({ id }) => id)
    expect(names).toEqual(
      entriesIn(lines)
        .slice(0, names.length)
        .map(({ id }) => id),
    )
    expect(names.at(-1)).toBe(entry('gap done').id)
  })

  test('an entry that is not there, and a line before it that cannot be read', () => {
    const { id } = entry('gap done')
    expect(() => cutLines(lines, `${id}0`, old, fresh)).toThrow('no entry')
    expect(() => cutLines(lines, id.replace('2026', '2025'), old, fresh)).toThrow('no entry')
    expect(() => cutLines(lines.with(3, '{"timest'), id, old, fresh)).toThrow('cannot be read in line 4')
    expect(cutLines(lines.with(70, '{"timest'), id, old, fresh).damaged).toEqual([71])
  })

  test('what was taken over from another file of the conversation stays there', () => {
    const reverted = fixture('reverted-and-compacted')
    const conversation = '01a1e20a-c823-75e3-97dc-2a7e662e18b5'
    const four = entriesIn(reverted).find(({ text }) => text === 'four')
    const { lines: kept } = cutLines(reverted, four?.id ?? '', conversation, fresh)
    expect(JSON.parse(kept[0] ?? '')).toMatchObject({
      payload: { id: fresh, history_base: { thread_id: conversation } },
    })
    expect(kept.join('\n')).not.toContain('"type":"compacted"')
  })
})

test('a turn is found in whichever file of the conversation it stands', async () => {
  const home = join(tempDir(), '.codex')
  const day = join(home, 'sessions/2026/11/16')
  mkdirSync(day, { recursive: true })
  const first = join(day, `rollout-2026-11-16T01-48-17-${old}.jsonl`)
  const second = join(day, `rollout-2026-11-16T02-00-00-${old}_01a1e43d-ce78-7d32-8de2-312842b3ab2e.jsonl`)
  writeFileSync(first, lines.join('\n'))
  writeFileSync(second, fixture('forked').join('\n'))
  const request = {
    conversation: old,
    transcript: second,
    after: entry('gap done').id,
    newConversation: fresh,
    cwd: '/',
    env: { CODEX_HOME: home },
  }
  const made = await cut({ ...request, installed: { path: 'codex', version: '0.166.0' } })
  expect(made.transcript).toBe(join(day, `rollout-2026-11-16T01-48-17-${fresh}.jsonl`))
  expect(entriesIn(readFileSync(made.transcript, 'utf8').split('\n')).at(-1)?.text).toBe('gap done')
  await expect(cut({ ...request, after: 'x#1', installed: { path: '', version: '' } })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(readdirSync(dirname(first))).toHaveLength(3)
})
