import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { killProcess } from '../support/kill.ts'
import { createBox, gone, type OwnDaemon, repository, until } from './harness.ts'
import { program } from './supervision-box.ts'

/** So that none of the real CLIs of this machine is started. */
const noOthers = Object.fromEntries(
  ['CODEX', 'COPILOT', 'GEMINI', 'OPENCODE'].map((name) => [`REIN_${name}_PATH`, '/nonexistent']),
)

/** A doctor that waits for a CLI which calls no hook, and has started another process, as a launcher does. */
const start = async () => {
  const box = createBox(noOthers)
  const file = join(box.root, 'pids')
  program(box, `sleep 600 & echo "$$ $!" >'${file}.new'; mv '${file}.new' '${file}'; wait`)
  const daemon = await box.daemon()
  const doctor = spawn(process.execPath, [join(repository, 'bin/rein.cjs'), 'doctor'], {
    cwd: box.cwd,
    env: box.env,
    stdio: 'ignore',
  })
  await until(() => existsSync(file))
  const canaries = (): string[] => readdirSync(join(box.paths.state, 'canaries'))
  return { box, daemon, doctor, canaries, pids: readFileSync(file, 'utf8').trim().split(' ').map(Number) }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  'rein doctor that is ended by %s leaves no CLI behind, and nothing of it',
  async (signal) => {
    const { box, doctor, pids, canaries } = await start()
    expect(pids).toHaveLength(2)
    doctor.kill(signal)
    await Promise.all(pids.map(gone))
    await until(() => canaries().length === 0)
    expect(await box.client().ps({ all: true })).toEqual([])
  },
)

test.each<[string, (daemon: OwnDaemon) => void]>([
  ['is stopped', ({ pid }) => killProcess(pid, 'SIGTERM')],
  ['is killed', ({ pid }) => killProcess(pid)],
])('a daemon that %s while it looks at a CLI leaves none behind, and the next one nothing of it', async (_, end) => {
  const { box, daemon, pids, canaries } = await start()
  end(daemon)
  await Promise.all(pids.map(gone))
  await daemon.ended
  expect(await box.client().ps({ all: true })).toEqual([])
  await until(() => canaries().length === 0)
})
