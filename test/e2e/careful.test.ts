import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { wakeSentence } from '../../src/contract/wake.ts'
import { personAt } from '../support/person.ts'
import { minimumClaude, shownIn, startRein } from './harness.ts'
import { lookUntil } from './look.ts'
import { idle, inState, shows, terminalOf } from './terminal.ts'

/** A version that can only be woken by typing, and settings that make it try again soon. */
const start = async (host: 'tmux' | 'pty', autoApprove = true) => {
  const config = { REIN_AGENTS_TYPING_QUIET_S: '4', REIN_NOTIFY_CHECK_S: '1' }
  const rein = await startRein({ program: minimumClaude, config })
  await rein.up(null, { autoApprove }, { host })
  const terminal = await terminalOf(rein)
  const main = () => rein.sim.requests.filter((request) => request.isMain)
  const wakes = async () => (await terminal.screen()).split(wakeSentence.slice(0, 30)).length - 1
  /** What a directive was held for, what happened meanwhile, and how often it was shown once that was over. */
  const held = async (over: () => Promise<unknown>) => {
    const before = { requests: main().length, wakes: await wakes() }
    const { id } = await rein.tell('Patience.')
    const { steps } = await rein.until(id, ({ state }) => state === 'held')
    const meanwhile = { requests: main().length - before.requests, wakes: (await wakes()) - before.wakes }
    await over()
    await rein.reached(id, 'acked')
    const shown = shownIn(await rein.sim.next(({ text }) => text.includes(id)), id)
    await idle(rein)
    // The hook that says so comes before the screen does.
    await lookUntil(terminal.screen, (text) => !text.includes('to interrupt'))
    return { reason: steps.at(-1)?.reason, meanwhile, shown }
  }
  await shows(terminal, /^❯\s*$/m)
  return { rein, terminal, held }
}

const heldFor = (reason: string) => ({ reason, meanwhile: { requests: 0, wakes: 0 }, shown: 1 })

test.each(['tmux', 'pty'] as const)('nothing is typed over a draft or beside a person (%s)', async (host) => {
  const { rein, held, terminal } = await start(host)
  const { cwd, daemonEnv } = rein
  await terminal.draft('my own words')
  await shows(terminal, /❯\smy own words/)
  expect(await held(() => terminal.press('C-u'))).toEqual(heldFor('draft'))
  const person = personAt(['attach', 'worker'], { cwd, env: daemonEnv, columns: 220, rows: 50 })
  await person.shows('bypass permissions')
  person.type('x')
  await shows(terminal, /❯\sx/)
  person.type('\u007f')
  await shows(terminal, /❯\s*$/m)
  expect(await held(() => Promise.resolve())).toEqual(heldFor('human_typing'))
  person.type('\u0002d')
  await person.ended
})

test.each(['tmux', 'pty'] as const)('nothing is typed into a dialog (%s)', async (host) => {
  const { rein, held, terminal } = await start(host, false)
  await terminal.write('RUN:touch a.txt ;; SAY:done')
  await inState(rein, 'awaiting_permission')
  const answer = () => rein.client.answer({ target: 'worker', cwd: rein.cwd, answer: 'allow' })
  expect(await held(answer)).toEqual(heldFor('dialog_open'))
})

test('nothing is typed while somebody looks back in tmux', async () => {
  const { rein, held } = await start('tmux')
  const { client, cwd, paths } = rein
  const { command } = await client.attach({ target: 'worker', cwd })
  const tmux = (...args: string[]) => promisify(execFile)('tmux', ['-S', join(paths.runtime, 'tmux.sock'), ...args])
  const target = `${command?.at(-1) ?? ''}:`
  await tmux('copy-mode', '-t', target)
  expect(await held(() => tmux('send-keys', '-t', target, '-X', 'cancel'))).toEqual(heldFor('copy_mode'))
})
