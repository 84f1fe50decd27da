import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { AnyRecord, LogRecord } from '../../src/contract/record.ts'
import { acksEverything, startRein, type TestRein } from './harness.ts'
import { idle } from './terminal.ts'

type ContextRecord = LogRecord<'agent.context'>

/** The agent does what it is asked for: the path stands on a line of its own. */
const handsOver = String.raw`on Write a handover now[^\n]*\n\| (\S+) do RUN:echo Next: paint the gate blue. > $1`
/** About 50,000 tokens each. */
const much = 'word '.repeat(40_000)

const limits = { REIN_CONTEXT_WARN_AT: '0.3', REIN_CONTEXT_HANDOVER_AT: '0.5', REIN_CONTEXT_ROTATE_AT: '0.9' }

const stepTaken = (rein: TestRein, step: ContextRecord['body']['step']): Promise<ContextRecord> =>
  rein.record(
    'agents',
    (one): one is ContextRecord & AnyRecord => one.type === 'agent.context' && one.body.step === step,
  )

test('an agent whose context fills up is warned, hands over, and goes on in a fresh conversation', async () => {
  const rein = await startRein({
    scenario: `${acksEverything}\n${handsOver}`,
    config: { ...limits, REIN_AGENTS_CONTEXT_WINDOW: '200000' },
  })
  execFileSync('git', ['init', '-q'], { cwd: rein.cwd })
  const first = await rein.up('SAY:hello')
  await rein.type(`SAY:much\n${much}`)
  const warned = await stepTaken(rein, 'warn')
  expect(warned.body).toMatchObject({ conversation: first.conversation, window: 200_000 })
  await rein.type(`SAY:more\n${much}`)
  const asked = await stepTaken(rein, 'handover')
  expect(asked.body.used / asked.body.window).toBeGreaterThanOrEqual(0.5)
  await stepTaken(rein, 'rotate')
  const fresh = await rein.sim.next(({ isMain, text }) => isMain && !text.includes(much) && text.includes('gate blue'))
  expect(fresh.text).toContain('This is the handover that you wrote.')
  expect(fresh.headers['x-claude-code-session-id']).not.toBe(first.conversation)
  await idle(rein)
  const [agent] = await rein.client.ps({})
  expect(agent).toMatchObject({ conversation: fresh.headers['x-claude-code-session-id'], inbox: { queued: 0 } })
  const told = await rein.client.inbox({ cwd: rein.cwd, all: true })
  expect(told.map(({ type, from }) => `${from} ${type}`).toSorted()).toEqual(['rein context-warning', 'rein handover'])
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: rein.cwd }).toString()).toBe('')
})

test('how much fits is what the CLI says of its model', async () => {
  const rein = await startRein({ scenario: '' })
  await rein.up('SAY:hello', { model: 'claude-opus-4-8[1m]' })
  await rein.record('agents', (one): one is AnyRecord => one.type === 'agent.model' && one.body.model.window !== null)
  expect(await rein.client.context({ target: 'worker', cwd: rein.cwd })).toMatchObject({
    model: 'claude-opus-4-8',
    window: 1_000_000,
  })
})
