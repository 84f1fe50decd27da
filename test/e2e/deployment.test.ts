import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { envOf, programOf } from '../clis.ts'
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
  expect(stdout).toContain('"mcp_servers":[{"name":"rein","status":"connected"}]')
  expect(stdout).toContain('"rein-check-directives"')
  expect(await client.ps({ all: true })).toMatchObject([{ handle: 'by-hand', host: 'outside' }])
})
