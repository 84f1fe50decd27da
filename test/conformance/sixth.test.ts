import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ConversationReader } from '../../src/agents/conversation/conversation-reader.ts'
import type { HookCall, ResponderReply } from '../../src/contract/hooks.ts'
import { contextBudget } from '../../src/contract/hooks.ts'
import { detect } from '../../src/drivers/detect.ts'
import { inboxResponder } from '../../src/features/inbox/responder.ts'
import { Sightings } from '../../src/features/inbox/sightings.ts'
import { agentRef, anAgent } from '../support/builders.ts'
import { shownIn } from '../e2e/harness.ts'
import { startInbox, type TestInbox } from '../support/inbox-harness.ts'
import { measureHooks } from './measure.ts'
import { type Probe, startProbe, type Subject } from './probe.ts'
import { tiny } from './sixth-driver.ts'

const program = join(import.meta.dirname, 'tiny-agent.mjs')
const PATH = process.env['PATH'] ?? ''

const subject = async (): Promise<Subject> => {
  const installed = await detect(tiny, { PATH }, program)
  if (installed === null) throw new Error(`${program} says no version.`)
  return {
    driver: tiny,
    installed,
    settle: () => Promise.resolve(),
    env: (home, url) => ({ PATH, HOME: home, TINY_MODEL_URL: url }),
  }
}

/** The inbox's own answers, for an agent that is never kept from stopping too often. */
const answersOf = ({ inbox }: TestInbox): ((call: HookCall) => Promise<ResponderReply>) => {
  const responder = inboxResponder(
    inbox,
    {
      stopBlocks: () => 0,
      noteStopBlock: () => () => undefined,
      clearStopBlocks: () => undefined,
      takesAt: () => true,
      writesContext: () => tiny.capabilities('1.0.0', 'stream').writesContext,
      catchUp: () => Promise.resolve(),
    },
    3,
  )
  return async (call) => responder.respond({ ...call, agent: agentRef.id }, contextBudget)
}

/** Shows the inbox what stands in the transcript by now. */
const observe = ({ inbox }: TestInbox, { home, cwd, calls }: Probe): void => {
  const conversation = calls[0]?.conversation ?? ''
  const path = tiny.transcript.locate(conversation, cwd, { HOME: home }) ?? ''
  const sightings = new Sightings(inbox)
  const reader = new ConversationReader(anAgent({ driver: 'tiny' }), conversation, path, tiny, 0, {
    onTurns: () => undefined,
    onEntry: (entry) => sightings.onEntry(agentRef, entry),
    onRead: () => undefined,
  })
  reader.look()
  inbox.observe(agentRef.id, conversation, (item) => sightings.findSighting(item, reader.graph))
  reader.close()
}

test('a driver takes less than 150 lines', () => {
  const lines = readFileSync(join(import.meta.dirname, 'sixth-driver.ts'), 'utf8').split('\n')
  expect(lines.length).toBeLessThan(150)
})

test('it is found, in the version that its claims were proven with', async () => {
  const { installed } = await subject()
  expect(tiny.capabilities(installed.version, 'stream').proven).toBe(true)
})

test('what its hooks say arrives exactly where the driver claims it does', async () => {
  const { claimed, measured } = await measureHooks(await subject(), 'stream')
  expect(measured).toEqual(claimed)
})

test('it works, and is told while busy, at its stop and when idle', async () => {
  const rein = startInbox()
  const script = 'WAIT:busy ;; RUN:printf %s-done 42 ;; WAIT:stop ;; SAY:finished'
  const probe = await startProbe(await subject(), 'stream', script, answersOf(rein))
  onTestFinished(probe.close)
  const stops = (count: number) =>
    probe.called(() => probe.calls.filter(({ event }) => event === 'stop').length === count)

  await probe.sim.reached('busy')
  const busy = await rein.tell('While busy.')
  probe.sim.release('busy')
  await probe.sim.reached('stop')
  const afterwards = probe.requests.find(({ newText }) => newText.includes('42-done'))
  expect(shownIn(afterwards, busy.directive.id)).toBe(1)
  const stop = await rein.tell('At the stop.')
  probe.sim.release('stop')
  await stops(2)
  observe(rein, probe)
  const woken = await rein.tell('When idle.')
  await probe.agent.prompt('SAY:awake')
  await stops(3)

  observe(rein, probe)
  for (const [item, via] of [
    [busy, 'context'],
    [stop, 'feedback'],
    [woken, 'context'],
  ] as const) {
    const { id } = item.directive
    expect(rein.receipt(id).steps).toMatchObject([
      { state: 'queued' },
      { state: 'offered', via },
      { state: 'placed', evidence: { source: 'transcript', entry: expect.any(String) as string } },
      { state: 'seen', evidence: { source: 'transcript', entry: expect.any(String) as string } },
    ])
    expect(Math.max(...probe.requests.map((request) => shownIn(request, id)))).toBe(1)
  }
})
