import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const guard = join(import.meta.dirname, '../../dist/plugin/rein-guard')

/** A CLI that runs the plugin's guard as its hook, with the variables of the project in it. */
const cli = `
const { spawnSync } = require('node:child_process')
const [command, project] = process.argv.slice(1)
const env = { ...process.env, ...JSON.parse(project) }
process.stdout.write(spawnSync('/bin/sh', ['-c', command, ${JSON.stringify(guard)}], { env, encoding: 'utf8' }).stdout)
`

const createHome = async () => {
  const home = await mkdtemp(join(tmpdir(), 'rein-plugin-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const put = async (state: string, says: string): Promise<void> => {
    await mkdir(join(home, state, 'hooks'), { recursive: true })
    await writeFile(join(home, state, 'hooks/rein-guard'), `#!/bin/sh\nprintf '%s' ${says}\n`, { mode: 0o755 })
  }
  await put('project', 'project')
  await put('project/rein', 'project')
  await put('project/.local/state/rein', 'project')
  const of = join(home, 'project')
  const project = { REIN_HOME: of, XDG_STATE_HOME: of, HOME: of, REIN_AGENT: 'agt_1' }
  return { home, put, project }
}

const run = async (env: Record<string, string>, command: string, project: Record<string, string>): Promise<string> => {
  const args = ['-e', cli, command, JSON.stringify(project)]
  return (await promisify(execFile)(process.execPath, args, { env: { PATH: process.env['PATH'], ...env } })).stdout
}

test.each([
  ['at once', '"$0" claude PreToolUse'],
  ['in a shell', '"$0" claude PreToolUse; exit 0'],
  ['in shells of a shell', '/bin/sh -c \'"$0" claude PreToolUse; exit 0\' "$0"; exit 0'],
])('the guard of whoever started the CLI is run, whatever the project sets: %s', async (_, command) => {
  const { home, put, project } = await createHome()
  await put('.local/state/rein', 'usual')
  await put('state/rein', 'xdg')
  await put('own', 'own')
  const env = { HOME: home }
  const xdg = { ...env, XDG_STATE_HOME: join(home, 'state') }
  const found = [env, xdg, { ...xdg, REIN_HOME: join(home, 'own') }].map((one) => run(one, command, project))
  expect(await Promise.all(found)).toEqual(['usual', 'xdg', 'own'])
})

test('a variable that only looks like one, in the value of another, leads nowhere', async () => {
  const { home, put, project } = await createHome()
  await put('.local/state/rein', 'usual')
  const env = { HOME: home, NOTE: `x\nREIN_HOME=${project.HOME}` }
  expect(await run(env, '"$0" claude PreToolUse', {})).toBe('usual')
})

test('the guard runs in a CLI that another CLI started, which has the variables of the project from its start', async () => {
  const { home, put } = await createHome()
  await put('.local/state/rein', 'usual')
  expect(await run({ HOME: home, REIN_AGENT: 'x' }, '"$0" claude PreToolUse', {})).toBe('usual')
})
