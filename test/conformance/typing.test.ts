/** Nothing that can wait begins a turn under the hands of a person, by whatever way the CLI is woken. */
import { describe, expect, test } from 'vitest'
import { startRein } from '../e2e/harness.ts'
import { lookUntil } from '../e2e/look.ts'
import { idle, type Terminal, terminalOf } from '../e2e/terminal.ts'
import { personAt } from '../support/person.ts'
import { mainRequests } from './agent.ts'
import { chosen, programFor } from './chosen.ts'

const quietS = 8
const config = {
  REIN_AGENTS_TYPING_QUIET_S: String(quietS),
  REIN_NOTIFY_CHECK_S: '1',
  REIN_NOTIFY_STARTUP_GRACE_S: '0',
}

const showsSoon = async ({ screen }: Pick<Terminal, 'screen'>, text: string): Promise<boolean> => {
  const until = performance.now() + 20_000
  return (await lookUntil(screen, (shown) => shown.includes(text) || performance.now() > until)).includes(text)
}

describe.each(chosen)('$name', (cli) => {
  test.each(['tmux', 'pty'] as const)(
    'a message waits for whoever types, and comes when they have left (%s)',
    async (host) => {
      const rein = await startRein({ cli, program: programFor(cli), config, scenario: '' })
      await rein.up(null, {}, { host })
      await idle(rein)
      const terminal = await terminalOf(rein)
      const person = personAt(['attach', 'worker'], { cwd: rein.cwd, env: rein.daemonEnv, columns: 120, rows: 40 })
      // What is typed while it attaches may go nowhere; more of it than fits a line is not taken away by one key.
      await person.shows(/\S/)
      do person.type('my own words ')
      while (!(await showsSoon(terminal, 'my own words')))
      await rein.client.defaultRoute({ target: 'worker', cwd: rein.cwd, allowsBypass: true })
      const { id } = await rein.client.receive({ name: 'phone', content: 'From outside.' })
      const { steps } = await rein.until(id, ({ state }) => state === 'held')
      expect(['human_typing', 'draft']).toContain(steps.at(-1)?.reason)
      expect(mainRequests(rein)).toEqual([])
      person.type('\u0015')
      // What comes in one piece with other keys is a paste to tmux, and no key of its own.
      await lookUntil(terminal.screen, (shown) => !shown.includes('my own words'))
      const leavesAt = Date.now()
      person.type('\u0002d')
      await person.ended
      // Another daemon never saw them type, and knows all the same that they did.
      await rein.killDaemon()
      const after = await rein.client.receive({ name: 'phone', content: 'When they had left.' })
      await rein.sim.next((request) => request.isMain && request.text.includes('From outside.'))
      const shown = await rein.until(after.id, (one) => one.steps.some(({ state }) => state === 'offered'))
      const { at = 0 } = shown.steps.find(({ state }) => state === 'offered') ?? {}
      expect(at - leavesAt).toBeGreaterThanOrEqual(quietS * 1000)
    },
  )
})
