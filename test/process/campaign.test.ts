import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { takeAccount } from '../campaign/account.ts'
import type { Stored } from '../campaign/receipts.ts'
import type { Tally } from '../campaign/tally.ts'
import { type TruthLine, writeTruth } from '../campaign/truth.ts'
import { repository, run } from './harness.ts'

const seed = process.env['REIN_TEST_SEED'] ?? '3'
const program = join(repository, 'scripts/run.mjs')
const limitMs = 120_000

const campaign = async (...args: string[]): Promise<Tally> => {
  const command = [process.execPath, program, 'campaign', '--agents', '4', '--seed', seed, '--json', ...args]
  const { stdout, stderr } = await run(command, { env: { PATH: process.env['PATH'] ?? '', HOME: tmpdir() } })
  const line = stdout.split('\n').find((one) => one.startsWith('{'))
  if (line === undefined) throw new Error(`The campaign says: ${stdout}${stderr}`)
  return JSON.parse(line) as Tally
}

describe(`a short campaign (REIN_TEST_SEED=${seed})`, () => {
  test('loses nothing and claims nothing while everything is killed', { timeout: limitMs }, async () => {
    const { counts, failures } = await campaign('--kills', '12', '--directives', '600')
    expect(failures).toEqual([])
    expect(counts).toMatchObject({ accepted: 600, 'really got by a model': 600, lost: 0, 'false seen': 0 })
    expect(counts['kills in all']).toBeGreaterThanOrEqual(12)
  })

  test('is seen to lose what was answered before it was committed', { timeout: limitMs }, async () => {
    const { counts, failures } = await campaign('--kills', '12', '--directives', '600', '--control')
    expect(failures).toEqual([])
    expect(counts['lost']).toBeGreaterThan(0)
  })
})

describe('the account of the models', () => {
  const seenBy = (descendant: string): Stored => ({
    state: 'seen',
    steps: [{ state: 'seen', at: 1, evidence: { source: 'transcript', descendant } }],
  })
  const take = (lines: Omit<TruthLine, 'conversation'>[], receipts: Record<string, Stored>, deaths: number[] = []) => {
    const dir = mkdtempSync(join(tmpdir(), 'rein-truth-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    const file = join(dir, 'truth')
    for (const line of lines) writeTruth(file, { conversation: 'c', ...line } as TruthLine)
    return takeAccount([file], new Map(Object.entries(receipts)), deaths)
  }
  const begin = { kind: 'begin', at: 0, holds: [] } as const

  test('believes a receipt whose reply came after the note', () => {
    const lines = [begin, { kind: 'shown', at: 1, notes: ['n'] }, { kind: 'reply', at: 2, entry: 'r' }] as const
    const account = take([...lines], { n: seenBy('r') })
    expect(account).toMatchObject({ falseSeen: [], got: new Set(['n']) })
  })

  test.each([
    ['came before the note', [begin, { kind: 'reply', at: 1, entry: 'r' }, { kind: 'shown', at: 2, notes: ['n'] }]],
    ['never was', [begin, { kind: 'shown', at: 1, notes: ['n'] }]],
    [
      'came when the note was forgotten',
      [begin, { kind: 'shown', at: 1, notes: ['n'] }, { kind: 'forget', at: 2 }, { kind: 'reply', at: 3, entry: 'r' }],
    ],
  ] as const)('catches a receipt whose reply %s', (_, lines) => {
    expect(take([...lines], { n: seenBy('r') }).falseSeen).toEqual(['n'])
  })

  test('tells why a note was shown twice', () => {
    const lines = [begin, { kind: 'shown', at: 10, notes: ['n'] }, { kind: 'shown', at: 5_000, notes: ['n'] }] as const
    const offered = (...at: number[]): Stored => ({
      state: 'offered',
      steps: at.map((one) => ({ state: 'offered', at: one })),
    })
    const why = (receipt: Stored, deaths: number[]) => take([...lines], { n: receipt }, deaths).shownAgain
    expect(why(offered(9, 4_999), [])).toMatchObject({ 'shown again by rule': 1 })
    expect(why(offered(4_999), [20])).toMatchObject({ 'shown again after a kill': 1 })
    expect(why(offered(4_999), [])).toMatchObject({ 'shown again unexplained': 1 })
  })
})
