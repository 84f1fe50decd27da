import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { version } from '../../src/base/util/version.ts'
import { type Env, type Installed, installPacked } from '../support/packed.ts'
import { repository, type Result } from './harness.ts'

const cleanUps: (() => void)[] = []
afterAll(() => cleanUps.toReversed().forEach((clean) => clean()))

let installed: Installed
beforeAll(async () => {
  installed = await installPacked((clean) => cleanUps.push(clean))
})

const rein = (args: string[], env: Env = {}, cwd = installed.home): Promise<Result> =>
  new Promise((resolve) => {
    const given = { cwd, env: { ...installed.env, ...env } }
    const child = execFile('rein', args, given, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })

const claude = join(repository, 'node_modules/@anthropic-ai/claude-code/bin/claude.exe')

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('the packed Rein, installed without compilers, scripts and a home', () => {
  test('says its version', async () => {
    expect(await rein(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('is small, and has neither sources nor tests', () => {
    const files = filesBelow(installed.package).map((file) => file.slice(installed.package.length + 1))
    const own = files.filter((file) => !file.startsWith('node_modules/'))
    expect(own.filter((file) => /^(src|test|bench|scripts|tools)\/|\.test\.|\.tmp$|\.sources$/.test(file))).toEqual([])
    expect(readdirSync(join(installed.package, 'node_modules')).toSorted()).toEqual(['@lydell', '@vscode'])
    const bytes = own.reduce((sum, file) => sum + statSync(join(installed.package, file)).size, 0)
    expect(bytes).toBeLessThan(32 * 1024 * 1024)
  })

  test('has a database on this Node', async () => {
    const { stdout } = await rein(['doctor', '--quick', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ ok: true })]),
    })
    expect(await rein(['daemon', 'stop'])).toMatchObject({ code: 0 })
  })

  test('plays the demo, and ends by itself without a terminal', async () => {
    const { code, stdout } = await rein(['demo'], { REIN_CLAUDE_PATH: claude })
    expect(stdout).toMatch(/(\d+) of \1 directives acked/)
    expect(stdout).not.toContain('npx')
    expect(code).toBe(0)
  })

  test('upgrades itself with npm, and restarts the daemon', async () => {
    const manifest = join(installed.package, 'package.json')
    const packed = JSON.parse(readFileSync(manifest, 'utf8')) as object
    const source = 'git+https://example.com/rein/rein.git'
    const fake = join(installed.root, 'fake-npm')
    mkdirSync(fake)
    writeFileSync(
      join(fake, 'npm'),
      `#!/bin/sh\n[ "$1" = view ] && exec echo "$FAKE_VIEW"\necho "$@" >>'${join(installed.root, 'npm-calls')}'\n`,
      { mode: 0o755 },
    )
    const answering = (url: string): Env => ({
      PATH: `${fake}:${installed.env['PATH']}`,
      FAKE_VIEW: JSON.stringify({ version: '99.0.0', 'repository.url': url }),
    })
    const env = answering(source)
    expect((await rein(['upgrade'], env)).stdout).toContain('this package names no repository')
    writeFileSync(manifest, JSON.stringify({ ...packed, repository: { type: 'git', url: source } }))
    await rein(['ps'])
    const checked = await rein(['upgrade', '--check', '--json'], env)
    expect(JSON.parse(checked.stdout)).toMatchObject({
      installed: version,
      newest: '99.0.0',
      installation: { manager: 'npm' },
      upgraded: false,
    })
    expect(existsSync(join(installed.root, 'npm-calls'))).toBe(false)
    const done = await rein(['upgrade', '--json'], env)
    expect(JSON.parse(done.stdout)).toMatchObject({ upgraded: true, daemon: 'restarted' })
    const strange = await rein(['upgrade'], answering('git+https://example.com/another/rein.git'))
    expect(strange.stdout).toContain('the package "rein" there is not this one')
  })

  test('takes back what it did, and keeps or deletes its data', async () => {
    const project = join(installed.root, 'project')
    mkdirSync(project)
    const settings = join(project, '.claude/settings.local.json')
    await rein(['setup', '--driver', 'claude'], { REIN_CLAUDE_PATH: claude }, project)
    expect(existsSync(settings)).toBe(true)
    const planned = await rein(['uninstall', '--dry-run'])
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining(settings) })
    expect(await rein(['uninstall'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('rein uninstall --yes'),
    })
    const state = join(installed.home, '.local/state/rein')
    const done = await rein(['uninstall', '--yes'])
    expect(done.stdout.trim().split('\n').at(-1)).toBe('  npm rm -g rein')
    expect([existsSync(state), existsSync(settings), done.code]).toEqual([true, false, 0])
    expect(await rein(['uninstall', '--yes', '--purge'])).toMatchObject({ code: 0 })
    expect([existsSync(state), existsSync(join(installed.home, '.config/rein'))]).toEqual([false, false])
  })
})
