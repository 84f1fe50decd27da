import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shownIn, startRein, statesOf } from './harness.ts'

test.each(['stream', 'tmux'] as const)('urgent: no tool runs before it is read (%s)', async (host) => {
  const { sim, cwd, up, tell, reached } = await startRein()
  await up('WAIT:told ;; PAR:RUN:touch one.txt && RUN:touch two.txt && RUN:touch three.txt ;; SAY:done', {}, { host })
  await sim.reached('told')
  const { id } = await tell('Stop: wrong directory.', { priority: 'urgent' })
  sim.release('told')
  const receipt = await reached(id, 'acked')
  expect(statesOf(receipt)).toEqual(['queued', 'offered', 'placed', 'seen', 'acked'])
  expect(receipt.steps[1]).toMatchObject({ via: 'denial' })
  expect(['one.txt', 'two.txt', 'three.txt'].filter((name) => existsSync(join(cwd, name)))).toEqual([])
  const [, second] = sim.requests.filter((request) => request.isMain)
  expect(shownIn(second, id)).toBe(1)
  expect(second?.newText).toContain('| Stop: wrong directory.')
})

/** The caller cannot read before its sub-agent returns, or while its model thinks: only then does the sub-agent find the message unread. */
test.each([
  { where: 'the foreground', inBackground: false, callerWaits: '' },
  { where: 'the background', inBackground: true, callerWaits: 'WAIT:caller ;; ' },
])('urgent: a sub-agent in $where is sent back to its caller, which is told', async ({ inBackground, callerWaits }) => {
  const { sim, cwd, up, tell, reached } = await startRein()
  const call = {
    description: 'help',
    prompt: 'WAIT:sub ;; RUN:touch sub.txt ;; SAY:back',
    subagent_type: 'general-purpose',
    run_in_background: inBackground,
  }
  await up(`CALL:Agent${JSON.stringify(call)} ;; ${callerWaits}RUN:touch main.txt ;; SAY:done`)
  await sim.reached('sub')
  if (inBackground) await sim.reached('caller')
  const { id } = await tell('Everybody stop.', { priority: 'urgent' })
  sim.release('sub')
  const back = await sim.next((request) => request.agentId !== undefined && request.reply === 'SAY:back')
  sim.release('caller')
  await reached(id, 'acked')
  expect(back.newText).toContain('return to your caller')
  const sub = sim.requests.filter((request) => request.agentId !== undefined)
  expect(sub.map((request) => shownIn(request, id))).toEqual(sub.map(() => 0))
  expect(['sub.txt', 'main.txt'].filter((name) => existsSync(join(cwd, name)))).toEqual([])
})
