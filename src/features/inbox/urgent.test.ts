import { expect, test } from 'vitest'
import { aCall, agentRef, lose } from '../../../test/support/builders.ts'
import { startInbox } from '../../../test/support/inbox-harness.ts'
import { Transcript } from '../../../test/support/transcript.ts'
import { contextBudget } from '../../contract/hooks.ts'
import { urgentResponder } from './urgent.ts'

/** An urgent directive that came with a prompt, and a call that the model made then. `looks`: after how many it stands in the transcript. */
const callAfterPrompt = async (looks: number) => {
  const rein = startInbox()
  const { directive } = await rein.tell('Stop.', { priority: 'urgent' })
  const [offer] = rein.inbox.claimOffers(agentRef.id, 'prompt', 'context', contextBudget)
  const transcript = new Transcript()
  let [time, looked] = [0, 0]
  const catchUp = async (): Promise<void> => {
    time += 80
    looked += 1
    if (looked !== looks) return
    transcript.prompt('Go on.')
    transcript.hookContext('UserPromptSubmit', offer?.text ?? '')
    transcript.call('ls')
    rein.observe(transcript)
  }
  const responder = urgentResponder(rein.inbox, catchUp, () => time)
  const tools = [{ id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }]
  const { decision } = await responder.respond(aCall({ event: 'before_tool', tools }), contextBudget)
  return { decision, id: directive.id }
}

test.each([1, 5])(
  'a call that the model made after it had read the directive runs, though look %i shows it',
  async (looks) => {
    expect((await callAfterPrompt(looks)).decision).toBeNull()
  },
)

test('what is never proven stops the call, and says where the directive stands', async () => {
  const { decision, id } = await callAfterPrompt(Number.POSITIVE_INFINITY)
  expect(decision).toMatchObject({
    kind: 'deny',
    reason: expect.stringContaining(`(${id}) was given to you just before`) as string,
  })
})

/** An urgent directive, and calls that come before it is in the conversation. */
const startCalls = async () => {
  const rein = startInbox()
  const { directive } = await rein.tell('Stop.', { priority: 'urgent' })
  const responder = urgentResponder(rein.inbox, async () => undefined)
  const tools = [{ id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }]
  const call = async () => responder.respond(aCall({ event: 'before_tool', tools }), contextBudget)
  const endBatch = () => responder.respond(aCall({ event: 'after_batch' }), contextBudget)
  return { ...rein, id: directive.id, call, endBatch }
}

const withText = { kind: 'deny', reason: expect.stringContaining('| Stop.') as string }

test('a call whose denial was lost has run: the next one is stopped, with the text', async () => {
  const { call, item, id } = await startCalls()
  lose(await call())
  expect(item(id).state).toBe('queued')
  expect((await call()).decision).toMatchObject(withText)
})

test('that is so also if another call of the batch was sent to its result meanwhile', async () => {
  const { call, item, id } = await startCalls()
  const first = await call()
  expect((await call()).decision).toMatchObject({
    reason: expect.stringContaining('in the result of another') as string,
  })
  lose(first)
  expect(item(id).state).toBe('queued')
  expect((await call()).decision).toMatchObject(withText)
})

test('a lost denial that only pointed to the text takes back no later one', async () => {
  const { call, endBatch, inbox, item, id } = await startCalls()
  await call()
  await endBatch()
  const pointing = await call()
  expect(pointing.decision).toMatchObject({ reason: expect.stringContaining('was given to you just before') as string })
  await endBatch()
  inbox.claimOffers(agentRef.id, 'prompt', 'context', contextBudget)
  lose(pointing)
  expect(item(id)).toMatchObject({ state: 'offered', attempts: 2 })
})
