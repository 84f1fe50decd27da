import { rm } from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AnyRecord, LogRecord } from '../../src/contract/record.ts'
import { cliNamed } from '../support/clis.ts'
import { acksEverything, shownIn, startRein, statesOf, type TestRein } from './harness.ts'
import { idle } from './terminal.ts'

type HealthRecord = LogRecord<'agent.health'>

const health = (rein: TestRein, match: (record: HealthRecord) => boolean): Promise<HealthRecord> =>
  rein.record('agents', (one): one is HealthRecord & AnyRecord => one.type === 'agent.health' && match(one))

/** Where the agent's hooks and skills lie. */
const assetsOf = ({ paths }: TestRein): string => {
  const [name = ''] = readdirSync(paths.plugins)
  return join(paths.plugins, name)
}

const proven = ['queued', 'offered', 'placed', 'seen', 'acked']

test('an agent whose hooks and skills were deleted gets them back with the next directive, and that is counted', async () => {
  const rein = await startRein()
  await rein.up('SAY:hello')
  await health(rein, ({ body }) => body.health.hooks === 'heard')
  await idle(rein)
  const dir = assetsOf(rein)
  for (const lost of ['rein-hook', 'skills', 'hooks']) await rm(join(dir, lost), { recursive: true })
  const { id } = await rein.tell('Use tabs.')
  expect(statesOf(await rein.reached(id, 'acked'))).toEqual(proven)
  expect(readFileSync(join(dir, 'skills/rein-check-directives/SKILL.md'), 'utf8')).toContain('rein')
  const { body } = await health(rein, ({ body: { health: now } }) => now.healed > 0)
  expect(body.health).toEqual({ hooks: 'heard', failures: 0, healed: 1 })
  expect(body.reason).toContain(join(dir, 'rein-hook'))
  const [agent] = await rein.client.ps({})
  expect(agent?.health.healed).toBe(1)

  await rm(join(dir, 'skills'), { recursive: true })
  await rein.type('/rein:rein-gone')
  const again = await health(rein, ({ body: { health: now } }) => now.healed === 2)
  expect(again.body.reason).toContain('SKILL.md')
})

/** The reflex of an agent that does as the recovery prompt says. */
const recovers = String.raw`on Then run .(\S+) inbox. do RUN:$1 inbox read $($1 inbox --json | grep -o 'dir_[0-9a-f-]*')
on your team that you are back: .(.+? chat send live 'I am back.') do RUN:$1`

describe('one whose hooks are off for good is told in full where everything is, and reads its inbox itself', () => {
  test.concurrent.for(['stream', 'tmux'] as const)('%s', async (host, { onTestFinished }) => {
    const rein = await startRein({
      onTestFinished,
      scenario: `${acksEverything}\n${recovers}`,
      config: { REIN_NOTIFY_RECOVERY_AFTER: '1', REIN_HOOKS_TRANSPORT: 'socket' },
    })
    await rein.rein('chat', 'create', 'live')
    await rein.rein('chat', 'create', 'later')
    // No setting switches them off: those of the run outrank all others.
    await rein.up('SAY:hello', { args: ['--bare'] }, { host })
    const { body } = await health(rein, ({ body: { health: now } }) => now.hooks === 'silent')
    expect(body.reason).toContain('none of its hooks')
    expect((await rein.rein('ps')).stdout).toContain('hooks')
    const { id } = await rein.tell('Use tabs.')
    const receipt = await rein.reached(id, 'acked')
    expect(receipt.steps.find(({ state }) => state === 'offered')?.via).toBe('read')
    const asked = rein.sim.requests.find(({ newText }) => newText.includes('you are the agent "worker"'))
    expect(asked?.newText).toContain(join(assetsOf(rein), 'skills/rein-check-directives/SKILL.md'))
    expect(shownIn(asked, id)).toBe(0)
    const back = await rein.record(
      'chats',
      (one): one is LogRecord<'chat.posted'> & AnyRecord => one.type === 'chat.posted',
    )
    expect(back.body.post).toMatchObject({ text: 'I am back.', author: { kind: 'agent', handle: 'worker' } })
    expect(back.body.post.room).toMatch(/\/live$/)
    const again = await health(rein, ({ body: { reason } }) => reason.includes('again'))
    expect(again.body.health.failures).toBe(0)
  })
})

test('one that was woken twice in vain gets it with the next wake itself', async () => {
  const rein = await startRein({ cli: cliNamed('codex'), scenario: '' })
  await rein.up('SAY:hello', { args: ['-c', 'features.hooks=false'] })
  await idle(rein)
  const { id } = await rein.tell('Use tabs.')
  const receipt = await rein.reached(id, 'seen')
  expect(statesOf(receipt)).toEqual(['queued', 'offered', 'placed', 'seen'])
  expect(receipt.steps[1]?.via).toBe('prompt')
  expect(shownIn(await rein.sim.next(({ text }) => text.includes(id)), id)).toBe(1)
  expect((await health(rein, ({ body }) => body.reason === 'it takes things in again')).body.health.failures).toBe(0)
})
