import { expect, test } from 'vitest'
import { startRein, type TestRein } from './harness.ts'
import { lookUntil } from './look.ts'

const count = 210
const lineOf = (n: number): string => `line ${String(n).padStart(3, '0')} ${'x'.repeat(180)}`

/** How many of the lines wait, wherever they do. */
const waiting = async ({ client }: TestRein): Promise<number> => {
  const open = await client.inbox({ cwd: '/' })
  const { channels } = await client.channels()
  return open.length + channels.reduce((sum, { held }) => sum + held, 0)
}

test('two hundred messages to a busy agent: its model gets every one of them, once, and nobody has to prompt it', async () => {
  const config = { REIN_NOTIFY_STARTUP_GRACE_S: '0', REIN_NOTIFY_CHECK_S: '1', REIN_NOTIFY_COOLDOWN_S: '1' }
  const rein = await startRein({ scenario: '', config })
  await rein.up('WAIT:busy ;; RUN:echo work ;; SAY:done')
  await rein.sim.reached('busy')
  await rein.client.defaultRoute({ target: 'worker', cwd: rein.cwd, allowsBypass: true })
  for (let n = 0; n < count; n += 1) await rein.client.receive({ name: 'phone', content: lineOf(n) })
  rein.sim.release('busy')
  await lookUntil(
    () => waiting(rein),
    (left) => left === 0,
  )
  const last = rein.sim.requests.findLast(({ isMain }) => isMain)
  const shown = [...(last?.text ?? '').matchAll(/^\| (line \d{3} x+)$/gm)].map(([, line]) => line)
  expect(shown).toEqual(Array.from({ length: count }, (_, n) => lineOf(n)))
})
