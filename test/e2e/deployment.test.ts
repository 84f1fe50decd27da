import { execFile } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { envOf, programOf } from '../support/clis.ts'
import { startRein } from './harness.ts'

/** A run inside another one's shell inherits the second. */
const variables: Record<string, string>[] = [{}, { CLAUDE_CODE_ENTRYPOINT: 'cli' }]

test.each(variables)('a headless run by hand ends, with all that setup gave it: %o', async (more) => {
  const { cli, client, cwd, home, sim } = await startRein()
  const env = { ...envOf(cli, home, sim.url), REIN_HANDLE: 'by-hand', ...more }
  await client.setup({ clis: [cli.name], cwd, env })
  const args = ['--print', '--dangerously-skip-permissions', '--output-format', 'stream-json', '--verbose', 'RUN:true']
  const running = promisify(execFile)(programOf(cli), args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })
  running.child.stdin?.end()
  const { stdout } = await running
  expect(stdout).toContain('"rein-check-directives"')
  expect(await client.ps({ all: true })).toMatchObject([{ handle: 'by-hand', host: 'outside' }])
})

test('doctor proves in the directory of whoever asks that what was deployed there fires', async () => {
  const { cli, client, cwd, home, sim, paths } = await startRein()
  const env = { ...envOf(cli, home, sim.url), PATH: '/usr/bin:/bin' }
  await client.setup({ clis: [cli.name], cwd, env })
  const checkIn = async (directory: string) =>
    (await client.doctor({ cwd: directory, env })).checks.find(({ name }) => name === 'claude setup')
  expect(await checkIn(cwd)).toMatchObject({ ok: true, detail: expect.stringContaining(`its hooks fire in ${cwd}`) })
  expect((await checkIn(home))?.detail).not.toContain('fire')
  // All files are as they should be, and nobody hears of it.
  chmodSync(join(paths.state, 'hooks/rein-hook'), 0o600)
  expect(await checkIn(cwd)).toMatchObject({
    ok: false,
    detail: expect.stringContaining(`its hooks do not fire in ${cwd}`),
  })
  expect(sim.requests.filter(({ isMain }) => isMain)).toEqual([])
  expect(await client.ps({ all: true })).toEqual([])
})

test.each([
  ['the project', [false]],
  ['the project, then everything', [false, true]],
])('the model of a launched agent is told of each skill once, set up for %s', async (_, scopes) => {
  const { cli, client, cwd, home, sim, up } = await startRein()
  const env = envOf(cli, home, sim.url)
  // The second time brings it up to date, as the daemon does when it starts.
  for (const isGlobal of [...scopes, ...scopes]) await client.setup({ clis: [cli.name], cwd, env, isGlobal })
  await up('SAY:hello')
  const { text } = await sim.next(({ isMain }) => isMain)
  expect(text.match(/^- (rein:)?rein-check-directives: /gm)).toHaveLength(1)
})
