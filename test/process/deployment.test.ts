import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { deploy } from '../../src/deploy/deploy.ts'
import { readRegister } from '../../src/deploy/register.ts'
import { tempDir } from '../builders.ts'
import { createBox, type Env, repository, type Result, run } from './harness.ts'

let installer: string
beforeAll(async () => {
  const { bundleTs } = (await import(join(repository, 'scripts/load-ts.mjs'))) as {
    bundleTs: (source: string) => Promise<string>
  }
  installer = await bundleTs('test/process/fixtures/installer.ts')
})

const killer = join(import.meta.dirname, 'fixtures/kill-at.cjs')
const original = '{\n  // mine\n  "model": "x"\n}\n'
let state: string
let dir: string
let settings: string
beforeEach(() => {
  state = tempDir()
  dir = tempDir()
  settings = join(dir, 'settings.json')
  writeFileSync(settings, original)
})

const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`)

interface How {
  env?: Env
  through?: string[]
  file?: string
}

const install = (clis: string[], { env = {}, through = [], file = settings }: How = {}): Promise<Result> =>
  run([process.execPath, installer, state, file, ...clis], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    through,
  })

/** Takes everything away that is registered, in this process. */
const takeAway = () =>
  deploy({ state, dryRun: false }, ({ installations }) =>
    installations.map(({ driver, scope, project }) => ({
      owner: { driver, scope, project },
      installation: null,
      deployments: [],
    })),
  )

const hooksIn = (text: string): string[] => [...text.matchAll(/rein-hook (\w+) Stop/g)].map(([, name = '']) => name)

test('two installers at once: 400 of 400 edits are kept', async () => {
  const [one, two] = [names('one', 200), names('two', 200)]
  const results = await Promise.all([install(one), install(two)])
  expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
  ])
  const kept = hooksIn(readFileSync(settings, 'utf8'))
  console.log(`${kept.length} of 400 edits kept`)
  expect(kept.toSorted()).toEqual([...one, ...two].toSorted())
  expect(readRegister(state).installations).toHaveLength(400)
  await takeAway()
  expect(readFileSync(settings, 'utf8')).toBe(original)
})

describe('kill -9', () => {
  const installKilled = (step: number): Promise<Result> =>
    install(['claude'], { env: { KILL_AT: String(step), NODE_OPTIONS: `--require=${killer}` } })

  const reset = (): void => {
    state = tempDir()
    writeFileSync(settings, original)
  }

  test('at each step of an install: the old file or the new one, and the next install and cleanup are as ever', {
    timeout: 180_000,
  }, async () => {
    await install(['claude'])
    const deployed = readFileSync(settings, 'utf8')
    let steps = 0
    let isDone = false
    const seen = new Set<string>()
    while (!isDone) {
      reset()
      steps += 1
      isDone = (await installKilled(steps)).code === 0
      const left = readFileSync(settings, 'utf8')
      seen.add(left)
      expect([original, deployed]).toContain(left)
      expect(await install(['claude'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^(un)?changed/) })
      expect(readFileSync(settings, 'utf8')).toBe(deployed)
      await takeAway()
      expect(readFileSync(settings, 'utf8')).toBe(original)
    }
    console.log(`killed at ${steps - 1} steps of an install`)
    expect(seen).toEqual(new Set([original, deployed]))
    expect(steps).toBeGreaterThan(15)
  })
})

const sysAdmin = 21n
const mayMount =
  ((BigInt(`0x${/CapEff:\s*(\w+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]}`) >> sysAdmin) & 1n) === 1n

const must = (command: string, ...args: string[]): void => {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}

describe('a full disk', () => {
  /** Room for less than the file, for one process or in one directory. */
  const limits = {
    'of the state directory': () => ({ file: settings, through: ['prlimit', '--fsize=10', '--'] }),
    'of the settings': () => {
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
    const { file, through } = limit()
    const { stdout, stderr } = await install(['claude'], { file, through })
    expect(stdout + stderr).toMatch(/no room|ENOSPC|EFBIG/)
    expect(readFileSync(file, 'utf8')).toBe(original)
    expect(readdirSync(join(file, '..')).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(readRegister(state).files).toEqual([])
  })
})

describe('rein setup', () => {
  test('deploys, says what happened to each file, and cleanup leaves nothing', async () => {
    const box = createBox()
    const mine = join(box.cwd, '.claude/settings.json')
    mkdirSync(join(mine, '..'))
    writeFileSync(mine, original)
    const dry = await box.rein(['setup', '--cli', 'claude', '--dry-run'])
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining(`+++ ${mine}`) })
    expect(readdirSync(box.cwd)).toEqual(['.claude'])
    const done = await box.rein(['setup', '--cli', 'claude'])
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining(`changed    ${mine} (claude)`) })
    expect(readFileSync(mine, 'utf8')).toContain(' # rein-managed')
    expect(statSync(join(box.paths.state, 'hooks/rein-hook')).mode & 0o777).toBe(0o700)
    expect(await box.rein(['update'])).toMatchObject({ code: 0, stdout: 'Nothing to do.\n' })
    expect(await box.rein(['cleanup', '--cli', 'claude'])).toMatchObject({ code: 0 })
    expect(readFileSync(mine, 'utf8')).toBe(original)
    expect(readdirSync(box.cwd)).toEqual(['.claude'])
    expect(readdirSync(join(box.cwd, '.claude'))).toEqual(['settings.json'])
  })

  test('for the user touches no private state, and cleanup takes the directory away', async () => {
    const box = createBox()
    const home = join(box.root, 'home')
    writeFileSync(join(home, '.claude.json'), original)
    expect(await box.rein(['setup', '--cli', 'claude', '--global'])).toMatchObject({ code: 0 })
    expect(existsSync(join(home, '.claude/settings.json'))).toBe(true)
    expect(await box.rein(['cleanup', '--global'])).toMatchObject({ code: 0 })
    expect(readdirSync(home)).toEqual(['.claude.json'])
    expect(readFileSync(join(home, '.claude.json'), 'utf8')).toBe(original)
  })

  test('names the place in a file that it cannot read, and does the rest', async () => {
    const box = createBox()
    const broken = join(box.cwd, '.mcp.json')
    writeFileSync(broken, '{\n  "a": \n}')
    const { code, stdout } = await box.rein(['setup', '--cli', 'claude'])
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
    expect(await box.rein(['setup', '--cli', 'claude'])).toMatchObject({ code: 3, stdout: '' })
  })
})
