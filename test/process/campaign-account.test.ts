import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { takeAccount } from '../campaign/account.ts'
import type { Stored } from '../campaign/receipts.ts'
import { type TruthLine, writeTruth } from '../campaign/truth.ts'

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
