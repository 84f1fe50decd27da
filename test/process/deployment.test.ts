import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readRegister } from '../../src/features/deploy/register.ts'
import { drivers } from '../../src/drivers/registry.ts'
import { mayMount } from '../support/abilities.ts'
import { type Box, createBox, repository } from './harness.ts'
import {
  bundleInstaller,
  createInstallBox,
  deployedBy,
  countKept,
  type InstallBox,
  killInstaller,
  original,
} from './install-box.ts'

let installer: string
beforeAll(async () => {
  installer = await bundleInstaller()
})

test('two installers at once: 40 of 40 edits are kept', async () => {
  expect(await countKept(createInstallBox(installer), 20)).toBe(40)
})

test('kill -9 early and late in an install: the old file or the new one, and the next install and cleanup are as ever', async () => {
  const deployed = await deployedBy(installer)
  const killed = await Promise.all([4, 14].map((step) => killInstaller(installer, step, deployed)))
  expect(killed.map(({ isDone }) => isDone)).toEqual([false, false])
})

const must = (command: string, ...args: string[]): void => {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}

describe('a full disk', () => {
  /** Room for less than the file, for one process or in one directory. */
  const limits: Record<string, (box: InstallBox) => { file: string; through: string[] }> = {
    'of the state directory': ({ settings }) => ({ file: settings, through: ['prlimit', '--fsize=10', '--'] }),
    'of the settings': ({ dir }) => {
      const small = join(dir, 'small')
      mkdirSync(small)
      must('mount', '-t', 'tmpfs', '-o', 'size=4k,mode=700', 'none', small)
      onTestFinished(() => must('umount', '-l', small))
      writeFileSync(join(small, 'settings.json'), original)
      return { file: join(small, 'settings.json'), through: [] }
    },
  }
  const possible = mayMount ? Object.entries(limits) : Object.entries(limits).slice(0, 1)

  test.each(possible)('%s: the file stays, whole, and nothing is left beside it', async (_, limit) => {
    const box = createInstallBox(installer)
    const { file, through } = limit(box)
    const { stdout, stderr } = await box.install(['claude'], { file, through })
    expect(stdout + stderr).toMatch(/no room|ENOSPC|EFBIG/)
    expect(readFileSync(file, 'utf8')).toBe(original)
    expect(readdirSync(join(file, '..')).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(readRegister(box.state).files).toEqual([])
  })
})

/** How long the deployed hook client says that it waits. */
const waitOfHook = async ({ paths }: Box): Promise<string> => {
  const socket = `${paths.runtime}/asked.sock`
  const asked = new Promise<string>((resolve) => {
    const server = createServer(({ headers }, response) => {
      resolve(String(headers['x-rein-wait']))
      response.end()
      server.close()
    })
    server.listen(socket)
  })
  const hook = join(paths.state, 'hooks/rein-hook')
  const there = readFileSync(hook, 'utf8').replaceAll(paths.socket, socket)
  writeFileSync(`${hook}-there`, there, { mode: 0o700 })
  const child = spawn(`${hook}-there`, ['claude', 'Stop'], { env: { PATH: process.env['PATH'] ?? '' } })
  child.stdin.end('{}')
  const wait = await asked
  rmSync(`${hook}-there`)
  return wait
}

describe('rein setup', () => {
  test('deploys, says what happened to each file, and cleanup leaves nothing', async () => {
    const box = createBox({ REIN_HOOKS_DEADLINE_MS: '1234' })
    const mine = join(box.cwd, '.claude/settings.local.json')
    mkdirSync(join(mine, '..'))
    writeFileSync(mine, original)
    const dry = await box.rein(['setup', '--driver', 'claude', '--dry-run'])
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^create {5}\.claude\/skills\/\*\/SKILL\.md \(\d+ files\) +\+\d+ +claude$/m),
    })
    const full = await box.rein(['setup', '--driver', 'claude', '--dry-run', '--verbose'])
    expect(full.stdout).toContain(`+++ ${mine}`)
    expect(full.stdout.endsWith(dry.stdout)).toBe(true)
    expect(readdirSync(box.cwd)).toEqual(['.claude'])
    const done = await box.rein(['setup', '--driver', 'claude'])
    expect(done).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`changed    ${mine} – Claude Code ignores this file`),
    })
    expect(readFileSync(mine, 'utf8')).toContain(' # rein-managed')
    expect(statSync(join(box.paths.state, 'hooks/rein-hook')).mode & 0o777).toBe(0o700)
    // What is set, less what the hook keeps for itself.
    expect(await waitOfHook(box)).toBe('1174')
    expect((await box.rein(['setup', '--driver', 'claude'])).stdout).not.toMatch(/^(created|changed)/m)
    expect(await box.rein(['cleanup', '--driver', 'claude'])).toMatchObject({ code: 0 })
    expect(readFileSync(mine, 'utf8')).toBe(original)
    expect(readdirSync(box.cwd)).toEqual(['.claude'])
    expect(readdirSync(join(box.cwd, '.claude'))).toEqual(['settings.local.json'])
  })

  test('a preview for every CLI fits a screen of 24 lines, with its hints', async () => {
    const box = createBox()
    for (const cli of drivers) writeFileSync(join(box.root, cli.name), `#!/bin/sh\necho 99.0.0\n`, { mode: 0o755 })
    const PATH = `${box.root}:${box.env['PATH']}`
    const { code, stdout } = await box.rein(['setup', '--dry-run'], { env: { PATH, REIN_CLAUDE_PATH: '' } })
    expect(code).toBe(0)
    for (const { name } of drivers) expect(stdout).toMatch(new RegExp(`^create .*${name}$`, 'm'))
    // Three lines of hints, and the next prompt.
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(20)
    expect(readdirSync(box.cwd)).toEqual([])
  })

  test('CLIs that share a file of servers want the same in it, without a path of this machine', async () => {
    const box = createBox()
    const bin = join(box.root, 'bin')
    mkdirSync(bin)
    symlinkSync(join(repository, 'bin/rein.cjs'), join(bin, 'rein'))
    writeFileSync(join(bin, 'copilot'), `#!/bin/sh\necho 99.0.0\n`, { mode: 0o755 })
    const env = { PATH: `${bin}:${box.env['PATH']}` }
    const servers = (): unknown => JSON.parse(readFileSync(join(box.cwd, '.mcp.json'), 'utf8'))
    expect(await box.rein(['setup', '--driver', 'copilot'], { env })).toMatchObject({ code: 0 })
    expect(servers()).toEqual({ mcpServers: { rein: { command: 'rein', args: ['mcp'] } } })
    const both = ['setup', '--driver', 'copilot', '--driver', 'claude', '--shared']
    expect(await box.rein(both, { env })).toMatchObject({ code: 0 })
    expect(servers()).toEqual({ mcpServers: { rein: { command: 'rein', args: ['mcp'] } } })
  })

  test('cleanup takes away what Claude Code wrote down about the server, and nothing that a person did', async () => {
    const box = createBox()
    const mine = join(box.cwd, '.claude/settings.local.json')
    const approved = (more: object): string =>
      `${JSON.stringify({ enabledMcpjsonServers: ['rein'], ...more }, null, 2)}\n`
    const cleaned = async (text: string): Promise<string | null> => {
      await box.rein(['setup', '--driver', 'claude', '--shared'])
      writeFileSync(mine, text)
      const { code, stdout } = await box.rein(['cleanup', '--driver', 'claude'])
      expect([code, stdout.includes('.claude/settings.local.json')]).toEqual([0, true])
      return existsSync(mine) ? readFileSync(mine, 'utf8') : null
    }
    expect(await cleaned(approved({}))).toBeNull()
    expect(await cleaned(approved({ model: 'opus' }))).toBe('{\n  "model": "opus"\n}\n')
    expect(await cleaned(approved({ enabledMcpjsonServers: ['notes', 'rein'], disabledMcpjsonServers: [] }))).toBe(
      approved({ enabledMcpjsonServers: ['notes'], disabledMcpjsonServers: [] }),
    )
  })

  test('repairs by `rein setup`, and doctor fails for a file that the CLI ignores', async () => {
    const box = createBox()
    const mine = join(box.cwd, '.claude/settings.local.json')
    await box.rein(['setup', '--driver', 'claude'])
    const asDeployed = readFileSync(mine, 'utf8')
    writeFileSync(mine, asDeployed.replace('rein-hook', 'no-hook'))
    expect((await box.rein(['setup', '--driver', 'claude'])).stdout).toMatch(
      /^changed {4}\.claude\/settings\.local\.json/m,
    )
    expect(readFileSync(mine, 'utf8')).toBe(asDeployed)
    writeFileSync(mine, asDeployed.replace('{', '{ // mine'))
    const { checks } = await box.client().doctor({ env: { HOME: box.root }, quick: true })
    expect(checks.find(({ name }) => name === 'claude setup')).toMatchObject({
      ok: false,
      hint: expect.stringContaining('no strict JSON'),
    })
  })

  test('doctor looks at the proxies of whoever asks, not at those of the daemon', async () => {
    const box = createBox({ HTTP_PROXY: 'daemon:1' })
    await box.client().hello()
    const proxies = async (env: Record<string, string>) =>
      (await box.client().doctor({ env, quick: true })).checks.filter(({ name }) => name === 'proxy')
    expect(await proxies({})).toEqual([])
    expect(await proxies({ ALL_PROXY: 'caller:1' })).toMatchObject([
      { ok: false, detail: expect.stringContaining('ALL_PROXY') },
    ])
  })

  test('for the user touches no private state, and cleanup takes the directory away', async () => {
    const box = createBox()
    const home = join(box.root, 'home')
    writeFileSync(join(home, '.claude.json'), original)
    expect(await box.rein(['setup', '--driver', 'claude', '--global'])).toMatchObject({ code: 0 })
    expect(existsSync(join(home, '.claude/settings.json'))).toBe(true)
    expect(await box.rein(['cleanup', '--global'])).toMatchObject({ code: 0 })
    expect(readdirSync(home)).toEqual(['.claude.json'])
    expect(readFileSync(join(home, '.claude.json'), 'utf8')).toBe(original)
  })

  test('names the place in a file that it cannot read, and does the rest', async () => {
    const box = createBox()
    const broken = join(box.cwd, '.mcp.json')
    writeFileSync(broken, '{\n  "a": \n}')
    const { code, stdout } = await box.rein(['setup', '--driver', 'claude', '--shared'])
    expect({ code, stdout }).toEqual({
      code: 5,
      stdout: expect.stringContaining(`refused    ${broken}:3:1 is not valid JSON`),
    })
    expect(readFileSync(broken, 'utf8')).toBe('{\n  "a": \n}')
    expect(existsSync(join(box.cwd, '.claude/settings.json'))).toBe(true)
  })

  test('names a CLI that is not there', async () => {
    const box = createBox({
      REIN_CLAUDE_PATH: '/no/such/claude',
      PATH: `/usr/bin:/bin:${join(process.execPath, '..')}`,
    })
    expect(await box.rein(['setup'])).toMatchObject({ code: 0, stdout: expect.stringContaining('skipped    claude: ') })
    expect(await box.rein(['setup', '--driver', 'claude'])).toMatchObject({ code: 3, stdout: '' })
  })
})
