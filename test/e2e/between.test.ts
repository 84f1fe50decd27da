import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { cliNamed } from '../support/clis.ts'
import { installVersion } from '../support/other-versions.ts'
import { shownIn, startRein, statesOf, type TestOptions, type TestRein } from './harness.ts'
import { idle, inState } from './terminal.ts'

// A version between the oldest and the newest that Rein knows: many people have not updated today.
const version = '2.1.197'
const hosts = ['stream', 'tmux'] as const
let program = ''

beforeAll(async () => {
  program = await installVersion(cliNamed('claude'), version)
})

const start = (options: TestOptions): Promise<TestRein> => startRein({ program, ...options })

describe('told while busy, then while idle', () => {
  test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
    const rein = await start({ onTestFinished })
    const agent = await rein.up('WAIT:told ;; RUN:echo work ;; SAY:done', {}, { host })
    expect(agent).toMatchObject({ version, host })
    await rein.sim.reached('told')
    const busy = await rein.tell('While busy.')
    rein.sim.release('told')
    expect(statesOf(await rein.reached(busy.id, 'acked'))).toContain('seen')
    await idle(rein)
    const woken = await rein.tell('While idle.')
    expect(statesOf(await rein.reached(woken.id, 'acked')).at(-1)).toBe('acked')
    for (const { id } of [busy, woken])
      expect(Math.max(...rein.sim.requests.map((request) => shownIn(request, id)))).toBe(1)
  })
})

describe('what it asks is answered', () => {
  test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
    const rein = await start({ onTestFinished, scenario: '' })
    await rein.up('RUN:touch a.txt ;; SAY:done', { autoApprove: false, permissionMode: 'default' }, { host })
    await inState(rein, 'awaiting_permission')
    expect(existsSync(join(rein.cwd, 'a.txt'))).toBe(false)
    await rein.client.answer({ target: 'worker', cwd: rein.cwd, answer: 'allow' })
    await rein.sim.next(({ reply }) => reply === 'SAY:done')
    expect(existsSync(join(rein.cwd, 'a.txt'))).toBe(true)
  })
})
