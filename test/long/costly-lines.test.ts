import { expect, test } from 'vitest'
import { LINE_UNITS, readShell } from '../../src/base/shell/read.ts'
import { WorkBudget } from '../../src/base/util/work-budget.ts'
import { randomLines, shapedLines } from '../support/costly-lines.ts'
import { boxWithRules, guarded } from '../process/costly-box.ts'
import { testSeed } from '../support/seeded.ts'

const count = 10_000
const atOnce = 4

/** The costly shapes at all lengths, and lines at random. */
function* allLines(): Generator<string> {
  for (const length of [400, 4_000, 20_000, 64_000]) yield* shapedLines(length)
  yield* randomLines(testSeed, count)
}

test(`${count} lines of up to 64 KB are read within the budget of a line`, { timeout: 1_800_000 }, () => {
  for (const line of allLines()) {
    const work = new WorkBudget(LINE_UNITS)
    const { opaque } = readShell(line, { cwd: '/p', home: '/h' }, work)
    expect(opaque.some(({ kind }) => kind === 'too costly')).toBe(work.isSpent)
  }
})

test(`${count} lines are judged by the daemon, and rein ps answers meanwhile`, { timeout: 3_600_000 }, async () => {
  const box = await boxWithRules()
  const lines = allLines()
  const over = new AbortController()
  const judge = async (): Promise<void> => {
    for (const line of lines) expect(await guarded(box, line)).toMatch(/^(pass|deny\n[^]*)\nrein-end\n$/)
  }
  const look = async (): Promise<number> => {
    let answers = 0
    while (!over.signal.aborted) {
      expect(await box.rein(['ps'])).toMatchObject({ code: 0, stderr: '' })
      answers += 1
    }
    return answers
  }
  const judged = Promise.all(Array.from({ length: atOnce }, judge)).finally(() => over.abort())
  const [answers] = await Promise.all([look(), judged])
  expect(answers).toBeGreaterThan(0)
  expect(await guarded(box, 'git push -f')).toContain('Not this one.')
})
