import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ServiceView } from '../../src/contract/outputs/local.ts'
import { type Box, createBox, run } from './harness.ts'

/** Notes what it is asked, and is active after `restart`. */
const fakeSystemctl = `#!/bin/sh
echo "$*" >> "$HOME/asked"
case $2 in
  restart) touch "$HOME/active" ;;
  stop) rm -f "$HOME/active" ;;
  is-active) [ -e "$HOME/active" ] || exit 3 ;;
esac
`
/** As where no service manager runs. */
const deadSystemctl = `#!/bin/sh
echo 'Failed to connect to bus: No medium found' >&2
exit 1
`

const boxWith = (systemctl: string): Box & { file: string; asked: () => string[] } => {
  const box = createBox()
  const home = box.env['HOME'] ?? ''
  const bin = join(home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'systemctl'), systemctl)
  chmodSync(join(bin, 'systemctl'), 0o755)
  box.env['PATH'] = `${bin}:${box.env['PATH']}`
  const asked = join(home, 'asked')
  return {
    ...box,
    file: join(home, '.config/systemd/user/rein.service'),
    asked: () => (existsSync(asked) ? readFileSync(asked, 'utf8').trim().split('\n') : []),
  }
}

const view = (stdout: string): ServiceView => JSON.parse(stdout) as ServiceView

describe('rein service', () => {
  test('is installed, again without a change, and removed', async () => {
    const box = boxWith(fakeSystemctl)
    const first = await box.rein(['service', 'install'])
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('  KillMode=process\n')])
    expect(first.stdout).toContain('The service runs.\n')
    const { stdout } = await box.rein(['service', 'install', '--dry-run'])
    expect(stdout).toBe(readFileSync(box.file, 'utf8'))
    const calls = ['daemon-reload', 'enable rein.service', 'restart rein.service', 'is-active --quiet rein.service']
    expect(box.asked()).toEqual(calls.map((call) => `--user ${call}`))
    expect(view((await box.rein(['service', 'install', '--json'])).stdout)).toMatchObject({
      what: 'unchanged',
      left: [],
    })
    expect(box.asked().filter((call) => call.includes('restart'))).toHaveLength(1)
    expect(await box.rein(['service', 'status'])).toMatchObject({ code: 0 })
    expect(await box.rein(['service', 'remove'])).toMatchObject({ code: 0 })
    expect([existsSync(box.file), box.asked().at(-1)]).toEqual([false, '--user daemon-reload'])
    expect(await box.rein(['service', 'remove'])).toMatchObject({ code: 3 })
    expect(await box.rein(['service', 'status'])).toMatchObject({ code: 3 })
  })

  test('that another Rein installed is brought up to date', async () => {
    const box = boxWith(fakeSystemctl)
    await box.rein(['service', 'install'])
    const env = { XDG_STATE_HOME: '/elsewhere' }
    expect(await box.rein(['service', 'status'], { env })).toMatchObject({
      stdout: expect.stringContaining('outdated'),
    })
    const changed = await box.rein(['service', 'install', '--json'], { env })
    expect(view(changed.stdout)).toMatchObject({ what: 'changed', isActive: true })
    expect(readFileSync(box.file, 'utf8')).toContain('Environment="XDG_STATE_HOME=/elsewhere"\n')
  })

  test.each([
    ['of somebody else', () => '[Service]\nExecStart=/bin/true\n'],
    ['that was edited', (ours: string) => `${ours}# mine\n`],
  ])('never touches a file %s', async (_whose, edit) => {
    const box = boxWith(fakeSystemctl)
    const content = edit((await box.rein(['service', 'install', '--dry-run'])).stdout)
    mkdirSync(dirname(box.file), { recursive: true })
    writeFileSync(box.file, content)
    expect(await box.rein(['service', 'install'])).toMatchObject({ code: 5 })
    expect(await box.rein(['service', 'remove'])).toMatchObject({ code: 5 })
    expect([readFileSync(box.file, 'utf8'), box.asked()]).toEqual([content, []])
  })

  test('without a service manager: the file is written, and what is left to do is said', async () => {
    const box = boxWith(deadSystemctl)
    const { code, stdout } = await box.rein(['service', 'install', '--json'])
    expect([code, view(stdout)]).toEqual([
      1,
      expect.objectContaining({
        what: 'created',
        isActive: null,
        left: ['daemon-reload', 'enable rein.service', 'restart rein.service'].map((one) => `systemctl --user ${one}`),
      }),
    ])
    expect(existsSync(box.file)).toBe(true)
    expect(await box.rein(['service', 'remove'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('  systemctl --user stop rein.service\n  systemctl --user daemon-reload\n'),
    })
    expect(existsSync(box.file)).toBe(false)
  })

  test('is not for agents', async () => {
    const box = boxWith(fakeSystemctl)
    const env = { REIN_TOKEN: 'x', REIN_SOCKET: '/nowhere' }
    expect(await box.rein(['service', 'install'], { env })).toMatchObject({ code: 5 })
  })

  test('takes over from a daemon that runs, with its agents, and again after a crash', async () => {
    const box = boxWith(fakeSystemctl)
    const request = { cwd: box.cwd, env: {}, args: [] }
    const agent = await box.client().up({ handle: 'worker', driver: 'claude', host: 'stream', request, env: box.env })
    const { stdout } = await box.rein(['service', 'install', '--dry-run'])
    for (let start = 0; start < 2; start += 1) {
      const daemon = await startAsSystemd(box, stdout)
      expect(box.registered()?.pid).toBe(daemon.pid)
      expect(await box.client().ps({})).toEqual([expect.objectContaining({ handle: 'worker', pid: agent.pid })])
      daemon.kill('SIGKILL')
      await once(daemon, 'exit')
    }
  })
})

/** Does what the unit says, as systemd does with a daemon that is slow: what comes after its start is there first. */
const startAsSystemd = async ({ env, cwd }: Box, unit: string) => {
  const command = (key: string): [string, string[]] => {
    const line = unit.split('\n').find((one) => one.startsWith(`${key}=`)) ?? ''
    const [program = '', ...args] = Array.from(line.matchAll(/"(?:-?:)?([^"]*)"/g), ([, word = '']) => word)
    return [program, args]
  }
  await run(command('ExecStartPre').flat(), { env, cwd })
  const after = spawn(...command('ExecStartPost'), { env, cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(after, 'exit')
  await Promise.race([once(after.stderr, 'data'), ended])
  const daemon = spawn(...command('ExecStart'), { env, cwd, stdio: 'ignore' })
  expect(await ended).toEqual([0, null])
  return daemon
}
