import { describe, expect, test } from 'vitest'
import { driverOf, pinnedVersion } from '../support/clis.ts'
import { idle } from '../e2e/terminal.ts'
import { claimsOf, firstWith, hosts, startAgent } from './agent.ts'
import { chosen, installedOf, program } from './chosen.ts'

/** Opencode alone takes half a minute for each of its starts where the machine has much else to do. */
const threeStartsMs = 300_000

describe.each(chosen)('$name', (cli) => {
  test('it is found, in the version that is pinned', async () => {
    const { version } = await installedOf(cli)
    expect(version).toBe(program === undefined ? pinnedVersion(cli) : version)
    expect(driverOf(cli).capabilities(version, 'tmux').proven || program !== undefined).toBe(true)
  })

  describe('it goes on with its conversation, and from it in a new one', () => {
    test.concurrent.for(hosts)('%s', { timeout: threeStartsMs }, async (host, { onTestFinished }) => {
      const { resume, fork } = await claimsOf(cli, host)
      const rein = await startAgent({ cli, host, onTestFinished }, 'SAY:remember-the-first')
      await rein.sim.next((request) => request.reply === 'SAY:remember-the-first')
      await idle(rein)
      const down = () => rein.client.down({ target: 'worker', cwd: rein.cwd })
      const { conversation } = await down()
      await rein.up('SAY:second', { continue: true }, { host })
      const again = await rein.sim.next((request) => request.isMain && request.newText.includes('SAY:second'))
      expect(again.text.includes('remember-the-first')).toBe(resume)
      await idle(rein)
      expect((await down()).conversation).toBe(conversation)
      const forking = rein.up(null, { fork: conversation ?? '' }, { host })
      const outcome = await forking.then(
        () => 'started',
        ({ code }: { code: string }) => code,
      )
      expect(outcome).toBe(fork ? 'started' : 'unsupported_option')
      if (!fork) return
      await idle(rein)
      const { id } = await rein.tell('In the new one.')
      await rein.reached(id, 'seen')
      expect((await firstWith(rein, id)).text).toContain('remember-the-first')
      expect((await down()).conversation).not.toBe(conversation)
    })
  })
})
