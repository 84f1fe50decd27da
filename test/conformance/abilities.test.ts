import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inState } from '../e2e/terminal.ts'
import { claimsOf, hosts, startAgent } from './agent.ts'
import { chosen } from './chosen.ts'

describe.each(chosen)('$name', (cli) => {
  describe('what it asks permission for is shown, and done once it is allowed', () => {
    test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
      // What Rein lets it run unasked must not let anything else run behind it.
      const command = 'rein ack none; touch asked.txt'
      const asking = cli.asking?.(command) ?? `RUN:${command}`
      const rein = await startAgent({ cli, host, onTestFinished }, `${asking} ;; SAY:done`, {
        autoApprove: false,
        permissionMode: cli.askingMode,
      })
      await inState(rein, 'awaiting_permission')
      expect(existsSync(join(rein.cwd, 'asked.txt'))).toBe(false)
      const [agent] = await rein.client.ps({})
      expect(agent?.question?.summary).toContain('asked.txt')
      await rein.client.answer({ target: 'worker', cwd: rein.cwd, answer: 'allow' })
      await rein.sim.next((request) => request.reply === 'SAY:done')
      expect(existsSync(join(rein.cwd, 'asked.txt'))).toBe(true)
    })
  })

  describe("it has Rein's tools and skills", () => {
    test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
      const { mcp, skills } = await claimsOf(cli, host)
      // A terminal does not wait for its servers: by its second request they are there.
      const rein = await startAgent(
        { cli, host, onTestFinished },
        'RUN:sleep 1 ;; CALL:mcp__rein__list_agents{} ;; SAY:done',
      )
      const calling = await rein.sim.next((request) => request.isMain && request.reply.startsWith('CALL'))
      const offered = JSON.stringify(calling.body)
      expect(offered.includes('ack_directive')).toBe(mcp)
      expect(offered.includes('rein-check-directives')).toBe(skills)
      const result = await rein.sim.next((request) => request.isMain && request.reply === 'SAY:done')
      expect(result.newText.includes('worker')).toBe(mcp)
    })
  })
})
