import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import { cut, cutLines } from './cut.ts'
import { format, locate } from './transcript.ts'

const recorded = readFileSync(
  join(import.meta.dirname, '../../../test/fixtures/copilot/1.0.102/hook-context.jsonl'),
  'utf8',
).split('\n')
const old = '97629461-7644-4c9b-8b54-daf377a990ac'
const lines = recorded.with(0, recorded[0]?.replace('"data":{', `"data":{"sessionId":"${old}"`) ?? '')
const fresh = '11111111-2222-4333-8444-555555555555'

const entriesIn = (given: readonly string[]): ConversationEntry[] => {
  const read = format.reader() as (line: string) => ConversationEntry[]
  return given.flatMap(read)
}
const entries = entriesIn(lines)

test('up to any entry, with the end of its turn, every event as it was but for the id of the conversation', () => {
  for (const { id } of entries) {
    const { lines: kept } = cutLines(lines, id, old, fresh)
    expect(kept.slice(1)).toEqual(lines.slice(1, kept.length))
    expect(kept[0]).toBe(lines[0]?.replace(old, fresh))
    const names = entriesIn(kept).map((entry) => entry.id)
    expect(names).toContain(id)
    expect(names).toEqual(entries.slice(0, names.length).map((entry) => entry.id))
  }
})

test('an entry that is not there, and an event before it that cannot be read', () => {
  const last = entries.at(-1)?.id ?? ''
  expect(() => cutLines(lines, 'nowhere', old, fresh)).toThrow('no entry')
  expect(() => cutLines(lines.with(2, '{"type":"us'), last, old, fresh)).toThrow('cannot be read in line 3')
})

test('the new conversation is in a directory of its own', async () => {
  const env = { HOME: tempDir() }
  const transcript = locate(old, '/', env)
  mkdirSync(dirname(transcript), { recursive: true })
  writeFileSync(transcript, lines.join('\n'))
  const request = {
    conversation: old,
    transcript,
    after: entries.at(-1)?.id ?? '',
    newConversation: fresh,
    cwd: '/',
    env,
  }
  const made = await cut({ ...request, installed: { path: 'copilot', version: '1.0.102' } })
  expect(made).toEqual({ conversation: fresh, transcript: locate(fresh, '/', env), damaged: [] })
  expect(entriesIn(readFileSync(made.transcript, 'utf8').split('\n'))).toHaveLength(entries.length)
})
