/** What is told to an agent reaches its model, whatever it does at the time. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Receipt } from '../../src/contract/directive.ts'
import { shownIn, statesOf, type TestRein } from '../e2e/harness.ts'
import { idle } from '../e2e/terminal.ts'
import { claimsOf, firstWith, hosts, mainRequests, startAgent } from './agent.ts'
import { chosen } from './chosen.ts'

/** *Placed* and *seen* came from the CLI's own transcript, if it writes such things there, and the model really had it once. */
const expectProof = (rein: TestRein, receipt: Receipt, writesContext: boolean): void => {
  const { id, steps } = receipt
  const proofs = steps.filter(({ state }) => state === 'placed' || state === 'seen')
  const isUnwritten = steps.some(({ via }) => via === 'unwritten')
  expect(isUnwritten && writesContext).toBe(false)
  expect(proofs.map(({ state }) => state)).toEqual(isUnwritten ? [] : ['placed', 'seen'])
  for (const { evidence } of proofs) expect(evidence).toMatchObject({ source: 'transcript', entry: expect.any(String) })
  expect(statesOf(receipt).at(-1)).toBe('acked')
  expect(Math.max(...mainRequests(rein).map((request) => shownIn(request, id)))).toBe(1)
}

describe.each(chosen)('$name', (cli) => {
  describe('it works, and is told while busy, at its stop and when idle', () => {
    test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
      const { afterTool, onStop, writesContext } = await claimsOf(cli, host)
      const rein = await startAgent(
        { cli, host, onTestFinished },
        'WAIT:busy ;; RUN:printf %s-done 42 ;; WAIT:stop ;; SAY:finished',
      )
      await rein.sim.reached('busy')
      const busy = await rein.tell('While busy.')
      rein.sim.release('busy')
      await rein.sim.reached('stop')
      const afterwards = mainRequests(rein).find(({ newText }) => newText.includes('42-done'))
      expect(afterwards).toBeDefined()
      expect(shownIn(afterwards, busy.id)).toBe(afterTool ? 1 : 0)
      const stop = await rein.tell('At the stop.')
      rein.sim.release('stop')
      expectProof(rein, await rein.reached(busy.id, 'acked'), writesContext)
      expectProof(rein, await rein.reached(stop.id, 'acked'), writesContext)
      const { via } = (await rein.client.receipt({ id: stop.id })).steps.find(({ state }) => state === 'offered') ?? {}
      expect(via === 'feedback').toBe(onStop)
      await idle(rein)
      const woken = await rein.tell('When idle.')
      expectProof(rein, await rein.reached(woken.id, 'acked'), writesContext)
    })
  })

  describe('an urgent directive is read before any tool runs', () => {
    test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
      const { deny } = await claimsOf(cli, host)
      const rein = await startAgent({ cli, host, onTestFinished }, 'WAIT:told ;; RUN:touch too-late.txt ;; SAY:done')
      await rein.sim.reached('told')
      const { id } = await rein.tell('Stop: wrong directory.', { priority: 'urgent' })
      rein.sim.release('told')
      const receipt = await rein.reached(id, 'acked')
      expect(existsSync(join(rein.cwd, 'too-late.txt'))).toBe(!deny)
      expect(receipt.steps.some(({ via }) => via === 'denial')).toBe(deny)
    })
  })

  describe('a directive is not lost when the daemon is killed while it works', () => {
    test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
      const { writesContext } = await claimsOf(cli, host)
      const rein = await startAgent({ cli, host, onTestFinished }, 'WAIT:busy ;; RUN:echo work-done ;; SAY:finished')
      await rein.sim.reached('busy')
      const { id } = await rein.tell('Before the daemon died.')
      await rein.killDaemon()
      await rein.client.ps({})
      rein.sim.release('busy')
      expectProof(rein, await rein.reached(id, 'acked'), writesContext)
      expect(shownIn(await firstWith(rein, id), id)).toBe(1)
    })
  })
})
