import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { anAgent, recording, tempDir } from '../../../test/support/builders.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { claude } from '../../drivers/claude/driver.ts'
import { ConversationReader } from './conversation-reader.ts'

const lines = recording('run-say').map((line) => `${line}\n`)

const read = (path: string, cursor = 0) => {
  const heard = { records: [] as AnyNewRecord[], positions: [] as number[], entries: 0, reads: 0 }
  const reader = new ConversationReader(anAgent(), 'c1', path, claude, cursor, {
    onTurns: (records, position) => {
      heard.records.push(...records)
      heard.positions.push(position)
    },
    onEntry: () => void (heard.entries += 1),
    onRead: () => void (heard.reads += 1),
  })
  onTestFinished(() => reader.close())
  return { reader, heard }
}
const types = (records: AnyNewRecord[]): string[] => records.map(({ type }) => type.replace('turn.', ''))

test('what is there is read at once: entries, turns and how far that is', () => {
  const path = join(tempDir(), 'c1.jsonl')
  writeFileSync(path, lines.join(''))
  const { reader, heard } = read(path)
  expect(heard.entries).toBe(6)
  expect(types(heard.records)).toEqual(['started', 'entry', 'entry', 'entry'])
  expect(heard.positions).toEqual([Buffer.byteLength(lines.join(''))])
  expect(reader.graph.leaf).not.toBeNull()
})

test('what was written down before is not written again, but the evidence is read from the beginning', () => {
  const path = join(tempDir(), 'c1.jsonl')
  writeFileSync(path, lines.join(''))
  const { heard, reader } = read(path, Buffer.byteLength(lines.join('')))
  expect(heard.records).toEqual([])
  expect(heard.entries).toBe(6)
  expect(reader.graph.present().size).toBe(6)
})

test('what comes while nobody looked comes with the next look; the turn ends with what is written by then', async () => {
  const path = join(tempDir(), 'c1.jsonl')
  writeFileSync(path, lines.slice(0, 4).join(''))
  const { reader, heard } = read(path)
  const settled = reader.settle(10_000)
  appendFileSync(path, lines.slice(4).join(''))
  await settled
  reader.endTurn('idle')
  expect(types(heard.records).at(-1)).toBe('ended')
  expect(heard.records.at(-1)?.body).toMatchObject({ entries: 5 })
  expect(types(heard.records).filter((type) => type === 'entry')).toHaveLength(3)
})

test('lines that are no JSON or no entries are passed over', () => {
  const path = join(tempDir(), 'c1.jsonl')
  writeFileSync(path, `garbage\n\n[]\n${lines.join('')}{"half":`)
  expect(read(path).heard.entries).toBe(6)
})

test('what is written in several pieces is waited for', async () => {
  const path = join(tempDir(), 'c1.jsonl')
  const { reader, heard } = read(path)
  const quiet = reader.untilQuiet(200, 60_000)
  writeFileSync(path, '{"type":"mode"}\n')
  reader.look()
  await new Promise((resolve) => setImmediate(resolve))
  appendFileSync(path, lines.join(''))
  await quiet
  expect(heard.entries).toBe(6)
})
