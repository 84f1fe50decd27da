import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../../test/support/builders.ts'
import { Transcript } from '../../../../test/support/transcript.ts'
import { findDriver } from '../../../drivers/registry.ts'
import { type MeasuredCommand, measureTranscript } from './meter.ts'

const fixture = (path: string): string => join(import.meta.dirname, '../../../../test/fixtures', path)
const readAll = async (path: string): Promise<MeasuredCommand[]> => {
  const found: MeasuredCommand[] = []
  for await (const command of measureTranscript(path, findDriver)) found.push(command)
  return found
}
const written = (content: string | Buffer): string => {
  const path = join(tempDir(), 'a.jsonl')
  writeFileSync(path, content)
  return path
}

test('a recording of Claude Code', async () => {
  expect(await readAll(fixture('claude/2.1.197/run-say.jsonl'))).toEqual([
    {
      id: expect.stringMatching(/^claude toolu_/),
      command: 'echo hi',
      author: 'claude',
      version: '2.1.197',
      session: '7e6fc98a-60ee-46d2-962f-857cf5602105',
      outcome: 'ok',
      durationMs: expect.any(Number),
      outputChars: 2,
      isAfterEdit: false,
    },
  ])
})

test('a recording of Codex: what a hook denied was never run', async () => {
  const found = await readAll(fixture('codex/0.166.0/decisions.jsonl'))
  expect(found.map(({ command, outcome, version }) => [command, outcome, version])).toEqual([
    ['echo original', 'ok', '0.166.0'],
    ['echo original', 'ok', '0.166.0'],
  ])
})

test('damage costs what is damaged, and nothing else', async () => {
  const transcript = new Transcript()
  for (const [command, output] of [
    ['make', 'made'],
    ['ls', 'a'],
  ] as const) {
    transcript.call(command)
    transcript.result(output)
  }
  transcript.call('sleep 100')
  const [first = '', ...rest] = transcript.lines
  const path = written(
    Buffer.concat([
      Buffer.from(`\n\0\0{"torn\n${first}\n`),
      Buffer.from([0xff, 0xfe, 10]),
      Buffer.from(rest.join('\n')),
    ]),
  )
  const found = await readAll(path)
  expect(found.map(({ command, outcome, outputChars }) => [command, outcome, outputChars])).toEqual([
    ['make', 'ok', 4],
    ['ls', 'ok', 1],
    ['sleep 100', 'unknown', 0],
  ])
})

test('nothing in it, nothing of it', async () => {
  expect(await readAll(written(''))).toEqual([])
  expect(await readAll(written('{}\n[]\n1'))).toEqual([])
  await expect(readAll(join(tempDir(), 'missing'))).rejects.toThrow(/ENOENT/)
})

test('time that a person took to answer is not all counted', async () => {
  const transcript = new Transcript()
  transcript.call('make')
  transcript.at += 3_600_000
  transcript.result('made')
  expect(await readAll(written(transcript.lines.join('\n')))).toMatchObject([{ durationMs: 600_000 }])
})
