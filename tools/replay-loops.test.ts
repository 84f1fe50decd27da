import { expect, test } from 'vitest'
import { seeded } from '../test/support/seeded.ts'
import { type PastCommand, replay } from './replay-loops.ts'

const looks = ['git status', 'git diff --stat', 'ls src', 'cat package.json', 'git log --oneline -5']
const runs = ['npm test', 'npm run lint', 'go test ./...', 'make check']
const waits = ['sleep 20; gh pr checks', 'sleep 5 && curl -s localhost:3000']

/** What agents do when they get on: looking, waiting, tests that fail and are repaired. */
const normalSession = (session: string, random: () => number): PastCommand[] => {
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? ''
  return Array.from({ length: 12 }, (_, n): PastCommand => {
    const chance = random()
    if (chance < 0.5) return { session, cmd: `${pick(looks)} # ${Math.floor(random() * 3)}`, exit: 0 }
    if (chance < 0.6) return { session, cmd: pick(waits), exit: 0 }
    if (chance < 0.8) return { session, cmd: pick(runs), exit: 1, err: `✗ case ${n}`, edited: ['src/app.ts'] }
    return { session, cmd: pick(runs), exit: 0, since: ['Read', 'Edit'], edited: [`src/${n}.ts`] }
  })
}

const stuck = (session: string): PastCommand[] =>
  Array.from({ length: 4 }, (_, n) => ({ session, cmd: 'npm test', exit: 1, err: `boom after ${n} ms` }))

test('a thousand turns of work, and some that go in circles: only these are noted, once each', () => {
  const random = seeded(7)
  const rows: PastCommand[] = []
  for (let n = 0; n < 1000; n++) rows.push(...normalSession(`work-${n}`, random))
  for (let n = 0; n < 20; n++) rows.push(...stuck(`stuck-${n}`))
  const { sessions, turns, commands, notes } = replay(rows, 3)
  expect({ sessions, turns, commands }).toEqual({ sessions: 1020, turns: 1020, commands: 12_080 })
  const [falseNotes, trueNotes] = [false, true].map((isStuck) =>
    notes.filter(({ session }) => session.startsWith('stuck') === isStuck),
  )
  expect(trueNotes).toHaveLength(20)
  expect(falseNotes?.length).toBeLessThan(10)
})

test('a pause is the end of a turn', () => {
  const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString()
  const row = (minute: number): PastCommand => ({ session: 's', cmd: 'npm test', exit: 1, err: 'boom', ts: at(minute) })
  expect(replay([row(0), row(1), row(7)], 3)).toMatchObject({ turns: 2, notes: [] })
  expect(replay([row(0), row(1), row(2)], 3)).toMatchObject({ turns: 1, notes: [{ command: 'npm test' }] })
})
