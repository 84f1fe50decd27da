import { expect, test } from 'vitest'
import type { Outcome } from '../../../contract/outcome.ts'
import { WasteOutput } from '../../../contract/outputs/memory.ts'
import type { FileTools } from '../../../drivers/contract.ts'
import type { MeasuredCommand } from './meter.ts'
import { type OpenTranscript, type WasteProgress, wasteOf } from './waste.ts'

const tools: FileTools = { read: 'Read', edit: 'Edit', write: 'Write', search: 'Grep', find: 'Glob' }

let count = 0
const command = (text: string, outcome: Outcome, more: Partial<MeasuredCommand> = {}): MeasuredCommand => ({
  id: `call ${++count}`,
  command: text,
  author: 'claude',
  version: null,
  session: 's1',
  outcome,
  durationMs: 6_000,
  outputChars: 100,
  isAfterEdit: false,
  ...more,
})

async function* transcripts(...all: (readonly (MeasuredCommand | Error)[])[]): AsyncGenerator<OpenTranscript> {
  for (const [index, commands] of all.entries()) yield { path: `${index}.jsonl`, commands: inOrder(commands) }
}

async function* inOrder(commands: readonly (MeasuredCommand | Error)[]): AsyncGenerator<MeasuredCommand> {
  for (const each of commands) {
    if (each instanceof Error) throw each
    yield each
  }
}

test('what was wasted, all in all and by program', async () => {
  const edited = command('make', 'failed', { isAfterEdit: true })
  const view = await wasteOf(
    transcripts(
      [command('make', 'failed'), command('make', 'failed'), edited, command('cat a.ts', 'ok')],
      [command('sleep 9', 'unknown', { session: null })],
      [],
    ),
    () => tools,
    () => undefined,
  )
  expect(WasteOutput.parse(view)).toEqual({
    transcripts: 3,
    sessions: 2,
    commands: 5,
    failed: 3,
    retries: 1,
    wrongTool: 1,
    outputTokens: 125,
    wastedTokens: 75,
    wastedMinutes: 0.3,
    programs: [
      { program: 'make', runs: 3, failed: 3, wrongTool: 0 },
      { program: 'cat', runs: 1, failed: 0, wrongTool: 1 },
      { program: 'sleep', runs: 1, failed: 0, wrongTool: 0 },
    ],
  })
})

test('a damaged transcript counts as far as it can be read, and is named', async () => {
  const told: WasteProgress[] = []
  const damaged = [command('ls', 'ok'), new Error('torn')]
  const view = await wasteOf(
    transcripts(damaged, [command('ls', 'ok')]),
    () => null,
    (progress) => told.push(progress),
  )
  expect(view).toMatchObject({ transcripts: 2, commands: 2, wrongTool: 0 })
  expect(told).toEqual([
    { path: '0.jsonl', transcripts: 1, commands: 1, failure: 'torn' },
    { path: '1.jsonl', transcripts: 2, commands: 2, failure: null },
  ])
})

test('a copy in the transcript of a fork is the same command', async () => {
  const one = command('ls', 'ok')
  const view = await wasteOf(
    transcripts([one], [one, command('ls', 'ok')]),
    () => null,
    () => undefined,
  )
  expect(view.commands).toBe(2)
})
