import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onScreen } from '../process/screen.ts'
import { startRein } from './harness.ts'

test('rein top shows what a real agent asks, does and says, and answers it', async () => {
  const { up, cwd, daemonEnv } = await startRein({ scenario: '' })
  await up('RUN:touch allowed.txt ;; SAY:All is done, 漢字 and all.', { autoApprove: false })
  const screen = onScreen(['top'], { cwd, env: daemonEnv, columns: 140 })
  const row = (pattern: RegExp) => (lines: string[]) =>
    lines.some((line) => line.startsWith('› worker') && pattern.test(line))
  await screen.until((lines) => lines.includes('  command: touch allowed.txt'))
  await screen.until(row(/ asks you \d+s .*→ Bash touch allowed\.txt$/))
  screen.press('a')
  await screen.until((lines) => lines.at(-1)?.startsWith('y = allow') === true)
  screen.press('y')
  await screen.until((lines) => lines.includes('All is done, 漢字 and all.'))
  await screen.until(row(/ idle \d+s +\d+% +[\d.]+k?\/\d+ +All is done, 漢字 and all\.$/))
  expect(existsSync(join(cwd, 'allowed.txt'))).toBe(true)
  screen.press('l')
  const logs = await screen.until((lines) => lines.some((line) => line.includes('■ idle')))
  expect(logs).toContain('  → Bash touch allowed.txt')
  screen.press('q')
  await screen.until(row(/ idle /))
  screen.press('q')
  expect(await screen.ended).toBe(0)
})
