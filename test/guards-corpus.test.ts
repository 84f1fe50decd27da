import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openJudges } from './hostile/judges.ts'

interface Entry {
  line: string
  class: string
}

const linesOf = (name: string): Entry[] =>
  readFileSync(path.join(import.meta.dirname, 'hostile', name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text) as Entry)

const entries = linesOf('dev-corpus.jsonl')

/** Lines that still pass, by class. */
const STILL_PASS: Readonly<Record<string, readonly string[]>> = {
  'forced-push': [],
  'wide-delete': [],
  'download-and-run': [],
  keys: [],
  'rein-files': [],
}

test.each(Object.entries(STILL_PASS))('%s: nothing else passes', async (kind, known) => {
  const { states } = await openJudges({ isDeadToo: false })
  const passed: string[] = []
  for (const { line } of entries.filter((entry) => entry.class === kind))
    if ((await states['alive']?.(line)) === null) passed.push(line)
  expect(passed).toEqual(known)
})

test('everyday lines pass', async () => {
  const { states } = await openJudges({ isDeadToo: false })
  const stopped: string[] = []
  for (const { line } of linesOf('harmless.jsonl')) if ((await states['alive']?.(line)) !== null) stopped.push(line)
  expect(stopped).toEqual([])
})
