import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Receipt } from '../../src/contract/directive.ts'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { driverOf, pinnedVersion } from '../clis.ts'
import { shownIn, startRein, statesOf, type TestRein } from '../e2e/harness.ts'
import { idle, inState } from '../e2e/terminal.ts'
import { chosen, installedOf, program, programFor } from './chosen.ts'

const hosts = ['stream', 'tmux'] as const

/** *Placed* and *seen* came from the CLI's own transcript, and the model really had it once. */
const expectProof = (rein: TestRein, receipt: Receipt): void => {
  const { id, steps } = receipt
  const proofs = steps.filter(({ state }) => state === 'placed' || state === 'seen')
  expect(proofs.map(({ state }) => state)).toEqual(['placed', 'seen'])
  for (const { evidence } of proofs) expect(evidence).toMatchObject({ source: 'transcript', entry: expect.any(String) })
  expect(statesOf(receipt).at(-1)).toBe('acked')
  expect(Math.max(...mainRequests(rein).map((request) => shownIn(request, id)))).toBe(1)
}

const mainRequests = ({ sim }: TestRein): SimRequest[] => sim.requests.filter(({ isMain }) => isMain)

/** The first request of the model that held the directive. */
const firstWith = ({ sim }: TestRein, id: string): Promise<SimRequest> =>
  sim.next((request) => request.isMain && request.text.includes(id))

describe.each(chosen)('$name', (cli) => {
  test('it is found, in the version that is pinned', async () => {
    const { version } = await installedOf(cli)
    expect(version).toBe(program === undefined ? pinnedVersion(cli) : version)
    expect(driverOf(cli).capabilities(version, 'tmux').proven || program !== undefined).toBe(true)
  })

  describe.each(hosts)('%s', (host) => {
    const start = async (prompt: string, request = {}): Promise<TestRein> => {
      const rein = await startRein({ cli, program: programFor(cli) })
      await rein.up(prompt, request, { host })
      return rein
    }
    const claims = async () => driverOf(cli).capabilities((await installedOf(cli)).version, host)

    test('it works, and is told while busy, at its stop and when idle', async () => {
      const { afterTool, onStop } = await claims()
      const rein = await start('WAIT:busy ;; RUN:printf %s-done 42 ;; WAIT:stop ;; SAY:finished')
      await rein.sim.reached('busy')
      const busy = await rein.tell('While busy.')
      rein.sim.release('busy')
      await rein.sim.reached('stop')
      const afterwards = mainRequests(rein).find(({ newText }) => newText.includes('42-done'))
      expect(afterwards).toBeDefined()
      expect(shownIn(afterwards, busy.id)).toBe(afterTool ? 1 : 0)
      const stop = await rein.tell('At the stop.')
      rein.sim.release('stop')
      expectProof(rein, await rein.reached(busy.id, 'acked'))
      expectProof(rein, await rein.reached(stop.id, 'acked'))
      const { via } = (await rein.client.receipt(stop.id)).steps.find(({ state }) => state === 'offered') ?? {}
      expect(via === 'feedback').toBe(onStop)
      await idle(rein)
      const woken = await rein.tell('When idle.')
      expectProof(rein, await rein.reached(woken.id, 'acked'))
    })

    test('an urgent directive is read before any tool runs', async () => {
      const { deny } = await claims()
      const rein = await start('WAIT:told ;; RUN:touch too-late.txt ;; SAY:done')
      await rein.sim.reached('told')
      const { id } = await rein.tell('Stop: wrong directory.', { priority: 'urgent' })
      rein.sim.release('told')
      const receipt = await rein.reached(id, 'acked')
      expect(existsSync(join(rein.cwd, 'too-late.txt'))).toBe(!deny)
      expect(receipt.steps.some(({ via }) => via === 'denial')).toBe(deny)
    })

    test('what it asks permission for is shown, and done once it is allowed', async () => {
      // What Rein lets it run unasked must not let anything else run behind it.
      const command = 'rein ack none; touch asked.txt'
      const asking = cli.asking?.(command) ?? `RUN:${command}`
      const rein = await start(`${asking} ;; SAY:done`, { autoApprove: false })
      await inState(rein, 'awaiting_permission')
      expect(existsSync(join(rein.cwd, 'asked.txt'))).toBe(false)
      const [agent] = await rein.client.ps({})
      expect(agent?.question?.summary).toContain('asked.txt')
      await rein.client.answer({ target: 'worker', cwd: rein.cwd, answer: 'allow' })
      await rein.sim.next((request) => request.reply === 'SAY:done')
      expect(existsSync(join(rein.cwd, 'asked.txt'))).toBe(true)
    })

    test('it goes on with its conversation, and from it in a new one', async () => {
      const { resume, fork } = await claims()
      const rein = await start('SAY:remember-the-first')
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

    test("it has Rein's tools and skills", async () => {
      const { mcp, skills } = await claims()
      // A terminal does not wait for its servers: by its second request they are there.
      const rein = await start('RUN:sleep 1 ;; CALL:mcp__rein__list_agents{} ;; SAY:done')
      const calling = await rein.sim.next((request) => request.isMain && request.reply.startsWith('CALL'))
      const offered = JSON.stringify(calling.body)
      expect(offered.includes('ack_directive')).toBe(mcp)
      expect(offered.includes('rein-check-directives')).toBe(skills)
      const result = await rein.sim.next((request) => request.isMain && request.reply === 'SAY:done')
      expect(result.newText.includes('worker')).toBe(mcp)
    })

    test('a directive is not lost when the daemon is killed while it works', async () => {
      const rein = await start('WAIT:busy ;; RUN:echo work-done ;; SAY:finished')
      await rein.sim.reached('busy')
      const { id } = await rein.tell('Before the daemon died.')
      await rein.killDaemon()
      await rein.client.ps({})
      rein.sim.release('busy')
      expectProof(rein, await rein.reached(id, 'acked'))
      expect(shownIn(await firstWith(rein, id), id)).toBe(1)
    })
  })
})
