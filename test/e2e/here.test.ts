import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { envOf } from '../support/clis.ts'
import { personAt } from '../support/person.ts'
import { startRein, type TestRein } from './harness.ts'
import { lookUntil } from './look.ts'
import { idle, shows } from './terminal.ts'

const bin = join(import.meta.dirname, '../../bin/rein.cjs')

const envFor = ({ cli, home, sim, daemonEnv }: TestRein): Record<string, string> => ({
  ...daemonEnv,
  ...envOf(cli, home, sim.url),
})

const noKeeper = async ({ paths }: TestRein): Promise<void> => {
  await lookUntil(
    () => existsSync(join(paths.runtime, 'pty.sock')),
    (isThere) => !isThere,
  )
}

test('rein here in a tmux of the user: the CLI itself, told like any other, and gone with it', async () => {
  const rein = await startRein()
  const tmux = async (...args: string[]): Promise<string> =>
    (
      await promisify(execFile)('tmux', ['-S', join(rein.home, 'mine.sock'), '-f', '/dev/null', ...args], {
        env: envFor(rein),
      })
    ).stdout
  const screen = (): Promise<string> => tmux('capture-pane', '-p', '-t', '=mine:')
  onTestFinished(async () => void (await tmux('kill-server').catch(() => undefined)))
  const command = `cd '${rein.cwd}'; '${process.execPath}' '${bin}' here worker --auto-approve; echo "code=$?"; exec cat`
  await tmux('new-session', '-d', '-x', '120', '-y', '40', '-s', 'mine', command)
  await idle(rein)
  const { id } = await rein.tell('In your own terminal.')
  expect(await rein.reached(id, 'acked')).toMatchObject({ state: 'acked' })
  await shows({ screen }, 'rein ack')
  await idle(rein)
  await tmux('send-keys', '-t', '=mine:', '-l', '/exit')
  await shows({ screen }, '/exit')
  await tmux('send-keys', '-t', '=mine:', 'Enter')
  await shows({ screen }, 'code=0')
  await noKeeper(rein)
  expect(await rein.client.ps({ all: true })).toMatchObject([{ handle: 'worker', host: 'pty', state: 'stopped' }])
})

test('rein here in a plain terminal that is closed', async () => {
  const rein = await startRein()
  const person = personAt(['here', 'worker', '--auto-approve'], { cwd: rein.cwd, env: envFor(rein) })
  await person.shows('❯')
  person.pty.kill('SIGHUP')
  expect(await person.ended).toMatchObject({ code: 129 })
  await noKeeper(rein)
  expect(await rein.client.ps({ all: true })).toMatchObject([{ handle: 'worker', state: 'stopped' }])
})
