import { expect, test } from 'vitest'
import { hostileEntries, hostileLines } from './hostile/corpora.ts'
import { openJudges } from './hostile/judges.ts'

const entries = hostileEntries('dev-corpus.jsonl')

/** Lines that still pass, by class. */
const STILL_PASS: Readonly<Record<string, readonly string[]>> = {
  'forced-push': [],
  'wide-delete': ['setfacl -R -b /home', 'rmdir --ignore-fail-on-non-empty ~/*', 'rm -rf [/]etc'],
  // A registry stands between, or nothing of it is run in this line.
  'download-and-run': ['go install x.io/y@latest', 'brew tap x/y && brew install x/y/z'],
  keys: ['docker compose config', 'git stash show -p | grep -i password', 'cat config/database.yml'],
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
  for (const line of hostileLines('harmless.jsonl')) if ((await states['alive']?.(line)) !== null) stopped.push(line)
  expect(stopped).toEqual([])
})

/** How many lines of two red teams still pass, by class; their harmless ones are traps, and some are asked about by design. */
const RED_TEAM = {
  'forced-push': 15,
  'wide-delete': 3,
  'download-run': 2,
  'read-keys': 24,
  'rein-files': 1,
}

test('of the lines of red teams no more pass than are known', async () => {
  const { states } = await openJudges({ isDeadToo: false })
  const passed: Record<string, number> = {}
  for (const { line, class: kind } of hostileEntries('red-team.jsonl'))
    if (kind !== 'harmless' && (await states['alive']?.(line)) === null) passed[kind] = (passed[kind] ?? 0) + 1
  expect(passed).toEqual(RED_TEAM)
})
