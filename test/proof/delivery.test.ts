/** One proof for each state of a receipt, in the order of the table in docs/delivery.md. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Receipt, ReceiptStep } from '../../src/contract/directive.ts'
import { gone, reinBin, shownIn, startRein, statesOf, type TestRein } from '../e2e/harness.ts'
import { inState } from '../e2e/terminal.ts'
import { killProcess } from '../support/kill.ts'
import { mostShown, requestBefore } from './model.ts'

const startAgent = async (prompt: string, request = {}): Promise<TestRein> => {
  const rein = await startRein({ scenario: '' })
  await rein.up(prompt, request)
  return rein
}

const stepOf = ({ steps }: Receipt, state: string): ReceiptStep | undefined =>
  steps.findLast((step) => step.state === state)

/** Runs `rein tell` and kills the daemon at the first word that it prints: the id. */
const tellAndKillDaemon = async ({ client, cwd, daemonEnv }: TestRein, text: string): Promise<string> => {
  const { pid } = await client.status()
  const telling = spawn(process.execPath, [reinBin, 'tell', 'worker', text, '--json'], { cwd, env: daemonEnv })
  const [printed] = await Promise.race([
    once(telling.stdout, 'data'),
    once(telling, 'exit').then(([code]) => Promise.reject(new Error(`rein tell ended with ${code} and said nothing.`))),
  ])
  killProcess(pid)
  await gone(pid)
  return /dir_[0-9a-f-]{36}/.exec(String(printed))?.[0] ?? ''
}

test('queued: it is on disk when its id is printed', async () => {
  const rein = await startAgent('WAIT:told ;; RUN:echo work ;; SAY:done')
  await rein.sim.reached('told')
  const id = await tellAndKillDaemon(rein, 'Survive this.')
  expect(statesOf(await rein.client.receipt({ id }))).toEqual(['queued'])
  rein.sim.release('told')
  await rein.reached(id, 'seen')
  const received = await requestBefore(rein, 'SAY:done')
  expect(received.newText).toContain('| Survive this.')
})

test('held: the receipt names what it waits for', async () => {
  const rein = await startAgent('RUN:touch asked.txt ;; SAY:done', { autoApprove: false })
  await inState(rein, 'awaiting_permission')
  const { id } = await rein.tell('Patience.')
  const held = await rein.until(id, ({ state }) => state !== 'queued')
  expect(stepOf(held, 'held')?.reason).toBe('dialog_open')
  expect(mostShown(rein, id)).toBe(0)
  await rein.client.answer({ target: 'worker', cwd: rein.cwd, answer: 'allow' })
  const receipt = await rein.reached(id, 'seen')
  expect(statesOf(receipt)).toEqual(['queued', 'held', 'offered', 'placed', 'seen'])
})

test('offered: after an API error it is not seen, and comes again under the same id', async () => {
  const rein = await startAgent('WAIT:told ;; RUN:echo work ;; ERROR:403:refused')
  await rein.sim.reached('told')
  const { id } = await rein.tell('Mind the error.')
  rein.sim.release('told')
  const refused = await requestBefore(rein, 'ERROR')
  expect(shownIn(refused, id)).toBe(1)
  const again = await rein.until(id, (receipt) => receipt.state === 'seen' || stepOf(receipt, 'offered')?.attempt === 2)
  expect(statesOf(again)).not.toContain('seen')
  const answered = await rein.sim.next((request) => request.isMain && shownIn(request, id) > 0, refused.index + 1)
  expect(await answered.outcome).toBe('answered')
  const receipt = await rein.reached(id, 'seen')
  expect(statesOf(receipt).indexOf('seen')).toBeGreaterThan(statesOf(receipt).lastIndexOf('offered'))
})

interface Entry {
  uuid?: string
  parentUuid?: string | null
  type?: string
}

/** The conversation as Claude Code itself has written it, by the ids of its entries. */
const readTranscript = async ({ client, home }: TestRein): Promise<Map<string, { entry: Entry; line: string }>> => {
  const [agent] = await client.ps({})
  const projects = join(home, '.claude/projects')
  const [project = ''] = readdirSync(projects)
  const lines = readFileSync(join(projects, project, `${agent?.conversation}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  const entries = lines.map((line) => ({ entry: JSON.parse(line) as Entry, line }))
  return new Map(entries.map((each) => [each.entry.uuid ?? '', each]))
}

test('placed and seen: the transcript has the entry with the whole text, and the reply to it', async () => {
  const rein = await startAgent('WAIT:told ;; RUN:echo work ;; WAIT:reply ;; SAY:done')
  await rein.sim.reached('told')
  const { id } = await rein.tell('Use tabs.\nNot spaces.')
  rein.sim.release('told')
  // The model has the text here, and has not replied yet.
  await rein.sim.reached('reply')
  const placed = await rein.reached(id, 'placed')
  expect(statesOf(placed)).toEqual(['queued', 'offered', 'placed'])
  const { source, entry = '', descendant: early } = stepOf(placed, 'placed')?.evidence ?? {}
  expect([source, early]).toEqual(['transcript', undefined])
  const written = (await readTranscript(rein)).get(entry)?.line ?? ''
  for (const part of ['| Use tabs.', '| Not spaces.', id]) expect(written).toContain(part)

  rein.sim.release('reply')
  const seen = stepOf(await rein.reached(id, 'seen'), 'seen')?.evidence
  expect(seen).toMatchObject({ source: 'transcript', entry })
  const transcript = await readTranscript(rein)
  let reply = transcript.get(seen?.descendant ?? '')?.entry
  expect(reply?.type).toBe('assistant')
  while (reply !== undefined && reply.uuid !== entry) reply = transcript.get(reply.parentUuid ?? '')?.entry
  expect(reply?.uuid).toBe(entry)
})

test('acked: the agent it was for acknowledges it, and no other agent can', async () => {
  const acking = 'RUN:rein ack $(cat told.txt) --note understood'
  const rein = await startRein({ scenario: '' })
  await Promise.all([
    rein.up(`WAIT:told ;; RUN:echo work ;; WAIT:mine ;; ${acking} ;; SAY:done`),
    rein.up(`WAIT:theirs ;; ${acking} 2>&1 ;; SAY:refused`, {}, { handle: 'other' }),
  ])
  await rein.sim.reached('told')
  const { id } = await rein.tell('For the worker alone.')
  writeFileSync(join(rein.cwd, 'told.txt'), id)
  rein.sim.release('told')
  rein.sim.release('theirs')
  const refused = await requestBefore(rein, 'SAY:refused')
  expect(refused.newText).toContain('is for worker')
  await rein.reached(id, 'placed')
  expect(statesOf(await rein.client.receipt({ id }))).not.toContain('acked')
  rein.sim.release('mine')
  const receipt = await rein.reached(id, 'acked')
  const evidence = { source: 'command', detail: expect.stringMatching(/ by worker$/) as unknown }
  expect(stepOf(receipt, 'acked')).toMatchObject({ note: 'understood', evidence })
})
