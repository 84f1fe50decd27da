import fc from 'fast-check'
import { expect, test } from 'vitest'
import { outcomes } from '../../../contract/outcome.ts'
import type { ConductView } from '../../../contract/routes/memory.ts'
import { type RanCommand, Sessions, Tally } from './conduct.ts'

const ran = (text: string, more: Partial<RanCommand> = {}): RanCommand => ({
  author: 'claude',
  session: 's1',
  text,
  outcome: 'ok',
  durationMs: null,
  outputChars: 0,
  isAfterEdit: false,
  isWrongTool: false,
  ...more,
})

const conductOf = (commands: readonly RanCommand[]): ConductView => {
  const sessions = new Sessions()
  const tally = new Tally()
  for (const command of commands) tally.add(command, sessions.place(command))
  return tally.view()
}

test('nothing was run: nothing is claimed', () => {
  expect(conductOf([])).toEqual({
    sessions: 0,
    commands: 0,
    failed: null,
    retries: null,
    wrongTool: null,
    unique: null,
    wastedTokens: 0,
    wastedMinutes: 0,
  })
})

test('only commands whose end is known say how many fail', () => {
  const ends = outcomes.map((outcome, index) => ran(`make ${index}`, { outcome }))
  expect(conductOf(ends)).toMatchObject({ commands: 5, failed: 0.5 })
  expect(conductOf([ran('sleep 1', { outcome: 'unknown' })]).failed).toBeNull()
})

const failed = ran('npm test', { outcome: 'failed', durationMs: 60_000, outputChars: 400 })

test('a retry is the same again right after it failed, with nothing edited in between', () => {
  const retriesOf = (...commands: RanCommand[]): number => (conductOf(commands).retries ?? 0) * commands.length
  expect(retriesOf(failed, failed)).toBe(1)
  expect(retriesOf(failed, { ...failed, isAfterEdit: true })).toBe(0)
  expect(retriesOf(failed, ran('ls'), failed)).toBe(0)
  expect(retriesOf(ran('npm test'), failed)).toBe(0)
  expect(retriesOf(failed, { ...failed, session: 's2' })).toBe(0)
  expect(retriesOf(failed, { ...failed, author: 'codex' })).toBe(0)
  expect(retriesOf(failed, ran('ls', { session: 's2' }), failed)).toBe(1)
})

test('output and time of what failed, and of what was run again for nothing, are wasted, each once', () => {
  const again = ran('ls', { durationMs: 30_000, outputChars: 40 })
  expect(conductOf([failed, failed])).toMatchObject({ wastedTokens: 200, wastedMinutes: 2 })
  expect(conductOf([again, again])).toMatchObject({ wastedTokens: 10, wastedMinutes: 0.5 })
  expect(conductOf([again, { ...again, isAfterEdit: true }])).toMatchObject({ wastedTokens: 0, wastedMinutes: 0 })
})

test('a better tool can only be missed by those whose tools are known', () => {
  const cat = ran('cat a', { isWrongTool: true })
  expect(conductOf([cat, ran('make'), ran('cat a', { author: 'person', isWrongTool: null })]).wrongTool).toBe(0.5)
  expect(conductOf([ran('cat a', { isWrongTool: null })]).wrongTool).toBeNull()
})

test('different commands are counted in each session', () => {
  const texts = ['ls', 'make', 'ls', 'ls'].map((text) => ran(text))
  expect(conductOf([...texts, ran('ls', { session: 's2' })])).toMatchObject({ sessions: 2, unique: 1.5 })
})

const aCommand = fc.record({
  author: fc.constantFrom('claude', 'codex', 'person'),
  session: fc.constantFrom('a', 'b', 'c'),
  text: fc.constantFrom('ls', 'make', 'npm test'),
  outcome: fc.constantFrom(...outcomes),
  durationMs: fc.option(fc.nat(100_000)),
  outputChars: fc.nat(2000),
  isAfterEdit: fc.boolean(),
  isWrongTool: fc.option(fc.boolean()),
})

test('shares lie between 0 and 1, and waste never exceeds what there was', () => {
  fc.assert(
    fc.property(fc.array(aCommand, { minLength: 1 }), (commands) => {
      const { unique, sessions, wastedTokens, ...shares } = conductOf(commands)
      for (const share of [shares.failed ?? 0, shares.retries ?? 0, shares.wrongTool ?? 0]) {
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(1)
      }
      expect(unique).toBeGreaterThanOrEqual(1)
      expect((unique ?? 0) * sessions).toBeLessThanOrEqual(commands.length + 1e-9)
      expect(wastedTokens).toBeLessThanOrEqual(commands.reduce((sum, { outputChars }) => sum + outputChars, 0) / 4 + 1)
    }),
  )
})

test('how sessions are mixed does not matter', () => {
  fc.assert(
    fc.property(fc.array(aCommand), (commands) => {
      const bySession = commands.toSorted((a, b) =>
        a.author + a.session < b.author + b.session ? -1 : Number(a.author + a.session !== b.author + b.session),
      )
      expect(conductOf(bySession)).toEqual(conductOf(commands))
    }),
  )
})
