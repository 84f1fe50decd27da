import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startSim } from '../../src/sim/server.ts'
import { parseObject } from '../../src/base/util/json.ts'
import { newestClaude } from './harness.ts'

const repository = join(import.meta.dirname, '../..')
const plugin = join(repository, 'dist/plugin')
const copilot = join(repository, 'node_modules/@github/copilot/npm-loader.js')

const skills = readdirSync(join(import.meta.dirname, '../../skills'))

/** Says who called it, and answers nothing. */
const recorder = `#!/bin/sh
echo "\${0##*/} $*" >>"\${0%/hooks/*}/calls"
`

interface Stage {
  home: string
  cwd: string
  url: string
  env: Record<string, string>
  run: (program: string, args: string[], env?: Record<string, string>) => Promise<Record<string, unknown>[]>
  /** The calls that the programs of `rein setup` got, each once. */
  calls: () => Promise<string[]>
}

/** A home with `rein` on the PATH, as after `rein setup` or without it, and a scripted model. */
const createStage = async ({ isSetUp = true } = {}): Promise<Stage> => {
  const home = await mkdtemp(join(tmpdir(), 'rein-plugin-'))
  const [cwd, rein, bin] = ['project', 'rein', 'bin'].map((name) => join(home, name)) as [string, string, string]
  for (const dir of [cwd, bin]) await mkdir(dir)
  await mkdir(join(rein, 'hooks'), { recursive: true, mode: 0o700 })
  const shim = `#!/bin/sh\nexec '${process.execPath}' '${join(repository, 'bin/rein.cjs')}' "$@"\n`
  await writeFile(join(bin, 'rein'), shim, { mode: 0o755 })
  for (const name of isSetUp ? ['rein-hook', 'rein-wait', 'rein-guard'] : [])
    await writeFile(join(rein, 'hooks', name), recorder, { mode: 0o755 })
  const sim = await startSim()
  const env = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, HOME: home, REIN_HOME: rein }
  onTestFinished(async () => {
    await promisify(execFile)(join(bin, 'rein'), ['daemon', 'stop'], { env })
    await sim.close()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  })
  return { home, cwd, url: sim.url, env, run: runner(cwd, env), calls: () => readCalls(join(rein, 'calls')) }
}

/** The CLI with the plugin; what it printed, each line a value. */
const runner =
  (cwd: string, env: Record<string, string>): Stage['run'] =>
  async (program, args, more = {}) => {
    const running = promisify(execFile)(program, args, { cwd, env: { ...env, ...more }, maxBuffer: 64 * 1024 * 1024 })
    running.child.stdin?.end()
    const { stdout } = await running
    return stdout
      .split('\n')
      .map(parseObject)
      .filter((value) => value !== null)
  }

const readCalls = async (file: string): Promise<string[]> => {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)
  return [...new Set(lines)].toSorted()
}

const claudeEnv = (url: string) => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: 'sk-ant-dummy-0123456789abcdef',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  IS_SANDBOX: '1',
})

const asClaude = (prompt: string): string[] => [
  '--print',
  '--output-format',
  'stream-json',
  '--verbose',
  '--dangerously-skip-permissions',
  '--plugin-dir',
  plugin,
  prompt,
]

test.each([
  ['the plugin', plugin],
  ['the marketplace', repository],
])('%s passes the strict check of Claude Code', async (_, path) => {
  const { run } = await createStage()
  await expect(run(newestClaude, ['plugin', 'validate', '--strict', path])).resolves.toBeDefined()
})

test('Claude Code installs it from the marketplace', async () => {
  const { run, home } = await createStage()
  await run(newestClaude, ['plugin', 'marketplace', 'add', repository])
  await run(newestClaude, ['plugin', 'install', 'rein@rein'])
  const installed = await readdir(join(home, '.claude/plugins/cache/rein/rein'), { recursive: true })
  expect(installed.filter((name) => /hooks\.json$|SKILL\.md$|rein-hook$/.test(name))).toHaveLength(2 + skills.length)
})

test('Claude Code loads its hooks, skills and MCP server', async () => {
  const { run, url, calls } = await createStage()
  const call = 'CALL:mcp__plugin_rein_rein__list_agents{}'
  const output = await run(newestClaude, asClaude(`RUN:echo hi ;; ${call} ;; SAY:done`), claudeEnv(url))
  const started = output.find(({ type, subtype }) => type === 'system' && subtype === 'init') ?? {}
  expect(started['skills']).toEqual(expect.arrayContaining(skills.map((name) => `rein:${name}`)))
  expect(JSON.stringify(output)).toContain('No agents.')
  expect(await calls()).toEqual(
    expect.arrayContaining(
      ['PostToolBatch', 'PreToolUse', 'SessionStart', 'Stop', 'UserPromptSubmit'].map(
        (name) => `rein-hook claude ${name}`,
      ),
    ),
  )
  expect(await calls()).toEqual(expect.arrayContaining(['rein-guard claude PreToolUse', 'rein-wait ']))
})

test('where nobody ran `rein setup`, it stands in the way of no tool', async () => {
  const { run, url } = await createStage({ isSetUp: false })
  const output = await run(newestClaude, asClaude('RUN:echo "ran $((40 + 2))" ;; SAY:done'), claudeEnv(url))
  expect(JSON.stringify(output)).toContain('ran 42')
})

test('no project makes its guard look away by pretending that Rein launched the agent', async () => {
  const { run, url, cwd, calls } = await createStage()
  await mkdir(join(cwd, '.claude'))
  await writeFile(join(cwd, '.claude/settings.json'), JSON.stringify({ env: { REIN_AGENT: 'agt_1' } }))
  await run(newestClaude, asClaude('RUN:echo hi ;; SAY:done'), claudeEnv(url))
  expect(await calls()).toContain('rein-guard claude PreToolUse')
})

test('no project leads its hooks and guard to another place, or makes them take it for another CLI', async () => {
  const { run, url, cwd, home, calls } = await createStage()
  const elsewhere = join(home, 'elsewhere')
  await mkdir(join(cwd, '.claude'))
  const env = { REIN_HOME: elsewhere, XDG_STATE_HOME: elsewhere, HOME: elsewhere, COPILOT_PROJECT_DIR: cwd }
  await writeFile(join(cwd, '.claude/settings.json'), JSON.stringify({ env }))
  await run(newestClaude, asClaude('RUN:echo hi ;; SAY:done'), claudeEnv(url))
  expect(await calls()).toEqual(
    expect.arrayContaining(['rein-guard claude PreToolUse', 'rein-hook claude PostToolBatch']),
  )
})

test('in an agent that Rein launched its hooks do nothing, and its guard still guards', async () => {
  const { run, url, calls } = await createStage()
  await run(newestClaude, asClaude('RUN:echo hi ;; SAY:done'), { ...claudeEnv(url), REIN_AGENT: 'agt_1' })
  expect(await calls()).toEqual(['rein-guard claude PreToolUse'])
})

test('Copilot CLI loads it too, and its hooks say that it is Copilot', async () => {
  const { run, url, home, calls } = await createStage()
  const env = {
    COPILOT_HOME: join(home, '.copilot'),
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'x',
    COPILOT_MODEL: 'scripted',
  }
  const args = ['-p', 'RUN:echo hi ;; SAY:done', '--allow-all-tools', '--output-format', 'json', '--plugin-dir', plugin]
  const output = await run(copilot, args, env)
  const dataOf = (type: string): unknown => output.find((line) => line['type'] === type)?.['data']
  const offered = skills.map(
    (name) => expect.objectContaining({ commandName: `rein:${name}`, enabled: true }) as object,
  )
  expect(dataOf('session.skills_loaded')).toMatchObject({ skills: expect.arrayContaining(offered) as object[] })
  expect(dataOf('session.mcp_servers_loaded')).toMatchObject({ servers: [{ name: 'rein', status: 'connected' }] })
  expect(await calls()).toEqual([
    'rein-guard copilot PreToolUse',
    ...['PermissionRequest', 'PreToolUse', 'SessionEnd', 'SessionStart', 'Stop', 'UserPromptSubmit'].map(
      (name) => `rein-hook copilot ${name}`,
    ),
  ])
})
