import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { claude } from '../../drivers/claude/driver.ts'
import type { Driver, SetupContext } from '../../drivers/contract.ts'
import { reinPaths } from '../../base/util/paths.ts'
import { readRegister } from './register.ts'
import { cleanup, type Deployer, refresh, type Selection, setup } from './setup.ts'

let home: string
let deployer: Deployer
let selection: Selection
let versions: Record<string, string>

/** A CLI that keeps its settings under a directory that a variable names. */
const cli = (name: string): Driver => ({
  ...claude,
  name,
  title: name.toUpperCase(),
  minVersion: '1.0.0',
  ignores: () => null,
  byHand: () => null,
  deployment: ({ scope, project, env, hook, version, mcp }: SetupContext) => {
    const dir = scope === 'project' ? project : (env['CLI_HOME'] ?? '')
    return [
      { kind: 'file', path: join(dir, `${name}-skill`), content: `${name} ${version}`, executable: false },
      { kind: 'json-key', path: join(dir, 'settings.json'), at: ['servers', name], value: { hook, mcp: mcp[0] } },
    ]
  },
})

beforeEach(() => {
  home = tempDir()
  const paths = reinPaths({ env: { REIN_HOME: join(home, 'rein') }, homedir: home, platform: 'linux', uid: 1 })
  const programs = join(home, "it's here")
  for (const dir of [paths.state, programs, join(home, 'project'), join(home, 'config')]) mkdirSync(dir)
  for (const name of ['rein-hook', 'rein-wait', 'rein-guard'])
    writeFileSync(
      join(programs, name),
      '#!/bin/sh\necho "$REIN_SOCKET $REIN_WAITERS $REIN_HOOK_DEADLINE_MS $PPID $*"\n',
      { mode: 0o755 },
    )
  versions = { one: '1.2.3', two: '1.2.3' }
  deployer = {
    paths,
    programs,
    waiters: join(paths.runtime, 'waiters'),
    deadlineMs: 400,
    version: '0.1.0',
    mcp: ['rein', 'mcp'],
    skills: [],
    drivers: [cli('one'), cli('two')],
    detect: async ({ name }) =>
      versions[name] === undefined ? null : { path: `/bin/${name}`, version: versions[name] },
  }
  selection = {
    clis: [],
    scope: 'project',
    project: join(home, 'project'),
    isShared: false,
    isOnPath: false,
    dryRun: false,
  }
})

const files = (dir = 'project'): string[] => readdirSync(join(home, dir)).toSorted()
const env = (): NodeJS.ProcessEnv => ({ CLI_HOME: join(home, 'config'), SECRET: 'hunter2' })

describe('setup', () => {
  test('deploys for all installed CLIs and cleanup takes all away', async () => {
    expect((await setup(deployer, selection, env())).files.map(({ what }) => what)).toEqual([
      'created',
      'created',
      'created',
    ])
    expect(files()).toEqual(['one-skill', 'settings.json', 'two-skill'])
    await cleanup(deployer, selection)
    expect(files()).toEqual([])
    expect(existsSync(join(deployer.paths.state, 'hooks'))).toBe(false)
  })

  test('cleanup everywhere takes all away, in every project', async () => {
    await setup(deployer, selection, env())
    await setup(deployer, { ...selection, scope: 'user' }, env())
    await cleanup(deployer, { ...selection, project: join(home, 'elsewhere') }, { everywhere: true })
    expect(files()).toEqual([])
    expect(existsSync(join(deployer.paths.state, 'hooks'))).toBe(false)
  })

  test('one CLI only', async () => {
    await setup(deployer, selection, env())
    await cleanup(deployer, { ...selection, clis: ['one'] })
    expect(files()).toEqual(['settings.json', 'two-skill'])
    expect(existsSync(join(deployer.paths.state, 'hooks'))).toBe(true)
  })

  test('names what is not installed, or too old, and goes on', async () => {
    versions = { one: '0.9.9' }
    const { files: outcomes, skipped } = await setup(deployer, selection, env())
    expect(outcomes).toEqual([])
    expect(skipped).toEqual([
      { driver: 'one', reason: 'ONE 0.9.9 is too old: 1.0.0 is needed.' },
      { driver: 'two', reason: 'TWO is not installed, or does not say its version.' },
    ])
  })

  test('a CLI that was asked for by name must be there', async () => {
    versions = {}
    await expect(setup(deployer, { ...selection, clis: ['one'] }, env())).rejects.toMatchObject({
      code: 'driver_missing',
    })
    await expect(setup(deployer, { ...selection, clis: ['tree'] }, env())).rejects.toMatchObject({
      code: 'unknown_driver',
    })
    await expect(cleanup(deployer, { ...selection, clis: ['tree'] })).rejects.toMatchObject({ code: 'unknown_driver' })
  })

  test('cleanup does not need the CLI any more', async () => {
    await setup(deployer, selection, env())
    versions = {}
    await cleanup(deployer, selection)
    expect(files()).toEqual([])
  })

  test('project and user are apart', async () => {
    await setup(deployer, selection, env())
    await setup(deployer, { ...selection, scope: 'user' }, env())
    await cleanup(deployer, selection)
    expect(files('config')).toEqual(['one-skill', 'settings.json', 'two-skill'])
    await cleanup(deployer, { ...selection, scope: 'user' })
    expect(files('config')).toEqual([])
  })

  test('a dry run leaves nothing behind', async () => {
    await setup(deployer, { ...selection, dryRun: true }, env())
    expect(files()).toEqual([])
    expect(readdirSync(deployer.paths.state)).toEqual(['deployments.lock'])
  })
})

describe('a file that its CLI does not read', () => {
  test('is named with the reason, and so is what is left to do by hand', async () => {
    const driver: Driver = { ...cli('one'), ignores: () => 'It is switched off.', byHand: () => 'one mcp add' }
    const report = await setup({ ...deployer, drivers: [driver] }, selection, env())
    expect(report.files.map(({ what, reason }) => [what, reason])).toEqual([
      ['created', 'It is switched off.'],
      ['created', 'It is switched off.'],
    ])
    expect(report.skipped).toEqual([{ driver: 'one', reason: expect.stringContaining('one mcp add') }])
  })
})

describe('the MCP server', () => {
  /** What the settings of a scope run as a server. */
  const serverIn = (dir: string): unknown =>
    JSON.parse(readFileSync(join(home, dir, 'settings.json'), 'utf8')).servers.one

  test.each<[string, Partial<Selection>, string, string]>([
    ['in a project by its name, where the PATH leads to it', { isOnPath: true }, 'project', 'rein'],
    ['in a project that is shared by its name', { isShared: true }, 'project', 'rein'],
    ['in a project by its path, where the PATH does not lead to it', {}, 'project', '/state/bin/rein'],
    ['for the user by its path', { scope: 'user', isOnPath: true }, 'config', '/state/bin/rein'],
  ])('stands %s', async (_, more, dir, mcp) => {
    const world = { ...deployer, mcp: ['/state/bin/rein', 'mcp'], drivers: [cli('one')] }
    await setup(world, { ...selection, ...more }, env())
    expect(serverIn(dir)).toMatchObject({ mcp })
    // The daemon that starts next has another PATH.
    expect((await refresh(world, env())).files).toEqual([])
  })

  test('that a person adds is named by its path', async () => {
    const byHand = ({ mcp }: SetupContext): string => `one mcp add ${mcp[0]}`
    const world = { ...deployer, mcp: ['/state/bin/rein', 'mcp'], drivers: [{ ...cli('one'), byHand }] }
    const { skipped } = await setup(world, { ...selection, isOnPath: true }, env())
    expect(skipped).toMatchObject([{ reason: expect.stringContaining('one mcp add /state/bin/rein') }])
  })
})

describe('what was deployed before there was a choice', () => {
  test('counts as shared: it is brought up to date as it is, and moved by the next setup', async () => {
    const register = join(deployer.paths.state, 'deployments.json')
    const driver: Driver = {
      ...cli('one'),
      deployment: ({ isShared, project }) => [
        { kind: 'text-block', path: join(project, isShared ? 'ALL.md' : 'MINE.md'), text: 'x' },
      ],
    }
    const world = { ...deployer, drivers: [driver] }
    await setup(world, { ...selection, isShared: true }, env())
    writeFileSync(register, readFileSync(register, 'utf8').replace(/ *"isShared": true,\n/, ''))
    expect((await refresh(world, env())).files).toEqual([])
    expect(files()).toEqual(['ALL.md'])
    await setup(world, selection, env())
    expect(files()).toEqual(['MINE.md'])
    await cleanup(world, selection)
    expect(files()).toEqual([])
  })
})

describe('refresh', () => {
  test('does nothing if nothing is deployed, or nothing is new', async () => {
    expect(await refresh(deployer, env())).toEqual({ files: [], skipped: [] })
    await setup(deployer, selection, env())
    const register = readFileSync(join(deployer.paths.state, 'deployments.json'), 'utf8')
    expect(await refresh(deployer, env())).toEqual({ files: [], skipped: [] })
    expect(readFileSync(join(deployer.paths.state, 'deployments.json'), 'utf8')).toBe(register)
  })

  test('follows a new version of a CLI, where it was deployed and not where the daemon’s own variables lead', async () => {
    await setup(deployer, { ...selection, scope: 'user' }, env())
    versions = { one: '1.3.0', two: '1.2.3' }
    const { files: outcomes } = await refresh(deployer, { CLI_HOME: join(home, 'elsewhere') })
    expect(outcomes).toMatchObject([{ path: join(home, 'config/one-skill'), what: 'changed' }])
    expect(readFileSync(join(home, 'config/one-skill'), 'utf8')).toBe('one 1.3.0')
    expect(existsSync(join(home, 'elsewhere'))).toBe(false)
  })

  test('follows a new version of Rein, and writes that down', async () => {
    await setup(deployer, selection, env())
    const newer = { ...deployer, version: '0.2.0', mcp: ['rein2'] }
    expect((await refresh(newer, env())).files).toMatchObject([
      { path: join(home, 'project/settings.json'), what: 'changed' },
    ])
    expect(readRegister(deployer.paths.state).installations.map(({ rein }) => rein)).toEqual(['0.2.0', '0.2.0'])
    expect((await refresh(newer, env())).files).toEqual([])
  })

  test('repairs what was changed, and puts back what was lost', async () => {
    await setup(deployer, selection, env())
    rmSync(join(home, 'project/one-skill'))
    const settings = join(home, 'project/settings.json')
    const asDeployed = readFileSync(settings, 'utf8')
    writeFileSync(settings, '{}')
    expect((await refresh(deployer, env())).files).toMatchObject([
      { path: join(home, 'project/one-skill'), what: 'created' },
      { path: settings, what: 'changed' },
    ])
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual(JSON.parse(asDeployed))
    expect(files()).toEqual(['one-skill', 'settings.json', 'two-skill'])
  })

  test('leaves alone what has no CLI, no project or no driver any more', async () => {
    await setup(deployer, selection, env())
    versions = {}
    expect((await refresh(deployer, env())).skipped).toHaveLength(2)
    expect(files()).toHaveLength(3)
    rmSync(join(home, 'project'), { recursive: true })
    expect((await refresh(deployer, env())).skipped[0]?.reason).toContain('no directory')
    expect(existsSync(join(home, 'project'))).toBe(false)
    expect((await refresh({ ...deployer, drivers: [] }, env())).skipped[0]?.reason).toContain('no driver')
  })

  test('keeps no variable but those that decided', async () => {
    await setup(deployer, { ...selection, scope: 'user' }, env())
    expect(readFileSync(join(deployer.paths.state, 'deployments.json'), 'utf8')).not.toContain('hunter2')
    expect(readRegister(deployer.paths.state).installations[0]?.env).toEqual({ CLI_HOME: join(home, 'config') })
  })
})

describe('the deployed hook program', () => {
  const program = (): string => join(deployer.paths.state, 'hooks/rein-hook')
  const run = (variables: Record<string, string>) =>
    spawnSync(program(), ['claude', 'Stop'], { encoding: 'utf8', env: { PATH: process.env['PATH'], ...variables } })

  /** By a program that was started with the variable of a launched agent, as its CLI is. */
  const launched = (...command: string[]): string => {
    const own = { PATH: process.env['PATH'], REIN_AGENT: 'agt_1', REIN_PROJECT: '/somebody/elses' }
    const calls = `const [program, ...args] = process.argv.slice(1)
require('node:child_process').spawnSync(program, args, { stdio: 'inherit' })`
    return execFileSync(process.execPath, ['-e', calls, ...command], { encoding: 'utf8', env: own })
  }

  test('becomes the real one, with the caller as its parent', async () => {
    await setup(deployer, selection, env())
    const { stdout, status } = run({})
    expect({ stdout, status }).toEqual({
      stdout: `${deployer.paths.socket} ${deployer.waiters} 400 ${process.pid} claude Stop\n`,
      status: 0,
    })
  })

  test('does nothing in an agent that Rein launched, nor when Rein is gone', async () => {
    await setup(deployer, selection, env())
    expect(launched(program(), 'claude', 'Stop')).toBe('')
    rmSync(deployer.programs, { recursive: true })
    expect(run({})).toMatchObject({ stdout: '', stderr: '', status: 0 })
  })

  test('does not wait for a CLI that has no terminal: that would wait for it', async () => {
    await setup(deployer, selection, env())
    const waiter = join(deployer.paths.state, 'hooks/rein-wait')
    const said = (variables: Record<string, string>): string =>
      execFileSync(waiter, { encoding: 'utf8', env: { PATH: process.env['PATH'], ...variables } })
    expect(said({})).toContain(deployer.waiters)
    expect(said({ CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' })).toBe('')
    const inTerminal = `CLAUDE_CODE_ENTRYPOINT=cli sh -c '"$0"; :' '${waiter}'`
    expect(execFileSync('script', ['-qec', inTerminal, '/dev/null'], { encoding: 'utf8' })).toContain(deployer.waiters)
    expect(execFileSync('sh', ['-c', inTerminal], { encoding: 'utf8' })).toBe('')
  })

  test('the guard is one of its own: it holds while Rein is away, and knows where things are', async () => {
    writeFileSync(join(deployer.programs, 'rein-guard'), 'echo "$REIN_GUARDS $REIN_SOCKET ${REIN_PROJECT-} $*"\n')
    await setup(deployer, selection, env())
    rmSync(deployer.programs, { recursive: true })
    const said = (variables: Record<string, string>): string =>
      execFileSync(join(deployer.paths.state, 'hooks/rein-guard'), ['claude', 'PreToolUse'], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], REIN_PROJECT: '/somebody/elses', ...variables },
      })
    expect(said({})).toBe(`${deployer.paths.guards} ${deployer.paths.socket}  claude PreToolUse\n`)
  })

  test('the guard runs also where its CLI was started with the variable of an agent, which it may have got from a project', async () => {
    writeFileSync(join(deployer.programs, 'rein-guard'), 'echo "guards ${REIN_AGENT-} ${REIN_PROJECT-}"\n')
    await setup(deployer, selection, env())
    const guard = join(deployer.paths.state, 'hooks/rein-guard')
    expect(launched(guard, 'claude', 'PreToolUse')).toBe('guards agt_1 \n')
  })

  test('a variable that its CLI was not started with makes nobody an agent of Rein, and no hook hasty', async () => {
    writeFileSync(join(deployer.programs, 'rein-guard'), 'echo "guards ${REIN_AGENT-}"\n')
    await setup(deployer, selection, env())
    const forged = { REIN_AGENT: 'agt_1', REIN_HOOK_DEADLINE_MS: '1' }
    const guard = join(deployer.paths.state, 'hooks/rein-guard')
    const guarded = execFileSync(guard, ['claude', 'PreToolUse'], {
      encoding: 'utf8',
      env: { ...process.env, ...forged },
    })
    expect(guarded).toBe('guards \n')
    expect(run(forged).stdout).toContain(' 400 ')
  })

  test('may be missing, too', () => {
    const [handler] = claude
      .deployment({
        version: '2.1.197',
        scope: 'project',
        project: '/p',
        isShared: false,
        env: {},
        programs: '/bin',
        hook: program(),
        waiter: '/w',
        guard: '/g',
        mcp: [],
        skills: [],
      })
      .flatMap((part) => (part.kind === 'json-items' ? (part.items as { hooks: { command: string }[] }[]) : []))
      .flatMap(({ hooks }) => hooks)
    expect(execFileSync('sh', ['-c', handler?.command ?? 'exit 1'], { encoding: 'utf8' })).toBe('')
  })
})
