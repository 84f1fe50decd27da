import { expect, it } from 'vitest'
import { evaluate } from './evaluate.ts'
import { evalHistory } from './history-file.ts'
import { type HistoryRow, inReplayOrder, turns } from './replay.ts'
import { shuffled } from './shuffle.ts'

const STEPS = ['git pull', 'npm ci', 'npm run lint', 'npm test', 'git add -A', 'git push']

/** Sessions that all go the same way. */
const habit = (sessions: number): HistoryRow[] =>
  Array.from({ length: sessions * STEPS.length }, (_, seq) => ({
    project: 'shop',
    session: `s${Math.floor(seq / STEPS.length)}`,
    seq,
    cmd: STEPS[seq % STEPS.length] ?? '',
    exit: 0,
    agent: 'claude-code',
  }))

async function* linesOf(rows: readonly unknown[]): AsyncGenerator<string> {
  for (const row of rows) yield typeof row === 'string' ? row : JSON.stringify(row)
}

it('is good at a habit, and no better than chance when it is mixed up', () => {
  const { exact, template, shuffled: control, commands, groups } = evaluate(habit(40), { shuffle: true })
  expect({ commands, groups }).toEqual({ commands: 240, groups: 1 })
  expect(exact.micro.hit1).toBeGreaterThan(85)
  expect(template.macro.hit1).toBeGreaterThan(85)
  expect(control?.exact.micro.hit1).toBeLessThan(30)
})

it('mixes only commands, and only within a project', () => {
  const rows = [...habit(5), { project: 'other', session: 'o', seq: 0, cmd: 'make', exit: 2, cwd: '/o' }]
  const mixed = shuffled(rows)
  expect(mixed.map(({ session, seq }) => [session, seq])).toEqual(rows.map(({ session, seq }) => [session, seq]))
  expect(mixed.map(({ cmd }) => cmd).toSorted()).toEqual(rows.map(({ cmd }) => cmd).toSorted())
  expect(mixed).not.toEqual(rows)
  expect(mixed.at(-1)).toEqual(rows.at(-1))
})

it('reads a history and hands over one prediction for each command, in order', async () => {
  const lines: string[] = []
  const progress: number[] = []
  const figures = await evalHistory(linesOf([...habit(20), '']), {
    shuffle: false,
    out: (line) => lines.push(line),
    onProgress: (done, total) => progress.push(done / total),
  })
  expect(figures).toMatchObject({ commands: 120, groups: 1, shuffled: null })
  expect(lines.length).toBe(120)
  expect(JSON.parse(lines[0] ?? '')).toEqual({ session: 's0', seq: 0, suggestions: [] })
  const { seq, suggestions } = JSON.parse(lines[115] ?? '')
  expect([seq, suggestions[0].cmd]).toEqual([115, 'npm ci'])
  expect(progress).toEqual([100 / 120, 1])
})

it('says which line is no command', async () => {
  await expect(evalHistory(linesOf([habit(1)[0], { cmd: 'ls' }]), { shuffle: false })).rejects.toThrow('Line 2')
})

const row = (project: string, seq: number, ts: string | null, cwd: string, agent?: string): HistoryRow => ({
  project,
  session: 's',
  seq,
  cmd: `run ${seq}`,
  cwd,
  ts,
  ...(agent !== undefined && { agent }),
})

it('replays a project after the other, each by time', () => {
  const rows = [
    row('a', 1, '2026-02', '/'),
    row('b', 2, null, '/'),
    row('a', 3, '2026-01', '/'),
    row('b', 4, null, '/'),
  ]
  expect(inReplayOrder(rows).map(({ seq }) => seq)).toEqual([3, 1, 2, 4])
})

it('tells an agent nothing that its command decides, and a person where she is', () => {
  const directories = (agent?: string) =>
    [...turns([row('a', 1, null, '/x', agent), row('a', 2, null, '/y', agent)])].map(({ moment }) => moment.cwd)
  expect(directories('codex')).toEqual(['', '/x'])
  expect(directories()).toEqual(['/x', '/y'])
  const [turn] = turns([row('a', 1, null, '/x')])
  expect(Object.keys(turn?.moment ?? {})).not.toContain('command')
})
