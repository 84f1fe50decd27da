import { expect, test } from 'vitest'
import type { AdviceKind } from '../../../contract/command.ts'
import type { Outcome } from '../../../contract/outcome.ts'
import { StatsOutput } from '../../../contract/routes/memory.ts'
import type { FileTools } from '../../../drivers/contract.ts'
import { openDatabase } from '../../../base/store/sqlite.ts'
import { memoryTables } from '../store.ts'
import { statsOf } from './stats.ts'

const day = 86_400_000
const now = new Date(2026, 10, 16, 18).getTime()
const since = now - 30 * day
const tools: FileTools = { read: 'Read', edit: 'Edit', write: 'Write', search: null, find: null }

interface GivenCommand {
  project: string
  author: string
  session: string
  outcome: Outcome
  heard: number
  at: number | null
  output: string | null
  durationMs: number | null
  secrets: number
}

/** A database with what the projector would have written. */
const memory = () => {
  const db = openDatabase(':memory:')
  db.exec(memoryTables.sql)
  let count = 0
  const ran = (command: string, given: Partial<GivenCommand> = {}): string => {
    const id = `cmd_${++count}`
    const { project = 'p', author = 'claude', session = 's1', outcome = 'ok', heard = now - day } = given
    const { at = null, output = null, durationMs = null, secrets = 0 } = given
    db.prepare(
      `INSERT INTO command (id, record, project, agent, session, author, at, heard, command, outcome, output, duration_ms, tools, edited, source, secrets)
       VALUES (?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?, '[]', '[]', 'hook', ?)`,
    ).run(id, count, project, session, author, at, heard, command, outcome, output, durationMs, secrets)
    return id
  }
  const decided = (
    session: string,
    kind: AdviceKind,
    why: string,
    given: { text?: string; next?: string; at?: number; project?: string } = {},
  ) =>
    db
      .prepare(
        `INSERT INTO advice (id, record, project, session, author, at, moment, kind, is_shown, why, text, suggestions, next)
         VALUES (?, 1, ?, ?, 'claude', ?, 'after', ?, ?, ?, ?, '[]', ?)`,
      )
      .run(
        `adv_${++count}`,
        given.project ?? 'p',
        session,
        given.at ?? now - day,
        kind,
        Number(why === 'sure'),
        why,
        given.text ?? null,
        given.next ?? null,
      )
  const stats = (project: string | null = 'p') => statsOf(db, { project, since, now, tools: () => tools })
  return { ran, decided, stats }
}

test('nothing is known', async () => {
  const view = await memory().stats()
  expect(StatsOutput.parse(view)).toEqual(view)
  expect(view).toMatchObject({ project: 'p', agents: [], programs: [], secrets: 0 })
  expect(view.advice).toEqual({ decisions: 0, shown: 0, followed: 0, followedOk: 0, kinds: [], silent: [] })
  expect(view.perDay).toHaveLength(31)
})

test('people and each kind of agent, in one project or in all', async () => {
  const { ran, stats } = memory()
  ran('make', { author: 'person', outcome: 'failed', session: 'tty' })
  ran('cat a.ts', { output: null })
  ran('git commit -m x', { outcome: 'failed', output: 'x'.repeat(400), durationMs: 30_000, secrets: 2 })
  ran('git commit -m x', { outcome: 'failed' })
  ran('ls', { author: 'codex', session: 'c1' })
  ran('ls', { author: 'codex', session: 'c2', project: 'q' })
  const view = await stats()
  expect(view.total).toMatchObject({ sessions: 3, commands: 5, failed: 0.6, wastedTokens: 100, wastedMinutes: 0.5 })
  expect(view.people).toMatchObject({ commands: 1, failed: 1, wrongTool: null })
  expect(view.agents.map(({ author, commands }) => [author, commands])).toEqual([
    ['claude', 3],
    ['codex', 1],
  ])
  expect(view.agents[0]?.wrongTool).toBeCloseTo(1 / 3)
  expect(view.agents[0]?.retries).toBeCloseTo(1 / 3)
  expect(view.programs[0]).toEqual({ program: 'git commit', runs: 2, failed: 1, target: 0.15 })
  expect(view.secrets).toBe(2)
  expect((await stats(null)).total.commands).toBe(6)
})

test('what was run earlier does not count, however late it was heard of', async () => {
  const { ran, stats } = memory()
  ran('long ago', { heard: since - 1 })
  ran('imported', { at: since - day })
  ran('now', { at: now - 2 * day, outcome: 'failed' })
  const view = await stats()
  expect(view.total.commands).toBe(1)
  expect(view.perDay.at(-3)).toMatchObject({ commands: 1, failed: 1 })
})

test('more rows than one page', async () => {
  const { ran, stats } = memory()
  for (let n = 0; n < 1200; n++) ran(`echo ${n % 7}`, { project: n % 3 === 0 ? 'p' : 'q', session: `s${n % 2}` })
  expect((await stats()).total).toMatchObject({ commands: 400, sessions: 2, unique: 7 })
  expect((await stats(null)).total.commands).toBe(1200)
})

test('what was said, and whether it was run next', async () => {
  const { ran, decided, stats } = memory()
  decided('s1', 'next', 'sure', { text: 'old', at: since - 1 })
  decided('s1', 'next', 'sure', { text: 'Next: `make lint`', next: ran('make lint') })
  decided('s1', 'next', 'sure', { text: 'Next: `make lint`', next: ran('make lint', { outcome: 'failed' }) })
  decided('s1', 'fix', 'sure', { text: 'This helped: `npm ci`', next: ran('ls') })
  decided('s1', 'fix', 'sure', { text: 'This helped: `npm ci`' })
  decided('s1', 'none', 'cooldown')
  expect((await stats()).advice).toEqual({
    decisions: 5,
    shown: 4,
    followed: 2,
    followedOk: 1,
    kinds: [
      { kind: 'next', shown: 2, followed: 2, followedOk: 1 },
      { kind: 'fix', shown: 2, followed: 0, followedOk: 0 },
    ],
    silent: [{ why: 'cooldown', count: 1 }],
  })
})

test('the trial: advised against held out, and before', async () => {
  const { ran, decided, stats } = memory()
  ran('make', { session: 'much too early', heard: now - 60 * day })
  ran('make', { session: 'early', heard: now - 9 * day, outcome: 'failed' })
  ran('make', { session: 'early person', heard: now - 9 * day, author: 'person' })
  ran('make', { session: 'told 0', heard: now - 9 * day })
  for (let n = 0; n < 6; n++) {
    decided(`told ${n}`, 'primer', 'sure', { at: now - 8 * day })
    decided(`not told ${n}`, 'primer', 'held out', { at: now - 8 * day })
    for (let k = 0; k < 10; k++) ran(`a ${k}`, { session: `told ${n}`, outcome: k < 1 ? 'failed' : 'ok' })
    for (let k = 0; k < 10; k++) ran(`a ${k}`, { session: `not told ${n}/sub`, outcome: k < 4 ? 'failed' : 'ok' })
  }
  decided('nothing to say', 'none', 'unsure')
  ran('make', { session: 'nothing to say' })
  const { trial } = await stats()
  expect(trial.advised).toMatchObject({ sessions: 6, commands: 61 })
  expect(trial.heldOut).toMatchObject({ sessions: 6, commands: 60, failed: 0.4 })
  expect(trial.before).toMatchObject({ sessions: 1, commands: 1, failed: 1 })
  expect(trial.failedDifference?.points).toBeCloseTo(100 * (6 / 61 - 0.4))
  expect(trial.failedDifference?.high).toBeLessThan(0)
})

test('before, of all projects: each has its own first advice', async () => {
  const { ran, decided, stats } = memory()
  for (const [project, days] of [
    ['p', 5],
    ['q', 50],
  ] as const) {
    ran('make', { project, session: `early ${project}`, heard: now - (days + 1) * day })
    ran('make', { project, session: `late ${project}`, heard: now - (days - 1) * day })
    decided(`told ${project}`, 'primer', 'sure', { project, at: now - days * day })
  }
  expect((await stats(null)).trial.before).toMatchObject({ sessions: 2, commands: 2 })
  expect((await stats('q')).trial.before.sessions).toBe(1)
  expect((await stats('r')).trial.before.sessions).toBe(0)
})
