import { execFile } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { cliNamed, envOf, programOf } from '../clis.ts'
import { startRein } from './harness.ts'

test('by hand, headless', async () => {
  const rein = await startRein()
  const cli = cliNamed('claude')
  const env = { PATH: process.env['PATH'] ?? '', ...envOf(cli, rein.home, rein.sim.url) }
  const before = await readFile(join(rein.home, '.claude.json'), 'utf8').catch(() => '')
  const done = await rein.client.setup({ clis: ['claude'], cwd: rein.cwd, env })
  console.log(done.files.map((f) => f.what + ' ' + f.path).join('\n'), done.skipped)
  expect(await readFile(join(rein.home, '.claude.json'), 'utf8').catch(() => '')).toBe(before)
  const t = Date.now()
  const p = promisify(execFile)(programOf(cli), ['-p', 'RUN:echo hi', '--dangerously-skip-permissions', '--output-format', 'stream-json', '--verbose', '--include-hook-events'], { cwd: rein.cwd, env: { ...env, REIN_HANDLE: 'byhand' }, timeout: 60000 })
  p.child.stdin?.end()
  const { stdout, stderr } = await p.catch((e) => e)
  console.log('took', Date.now() - t, stderr, stdout.split('\n').filter((l: string) => /hook_response|"result"|mcp_servers/.test(l)).map((l: string) => l.slice(0, 300)).join('\n'))
  console.log(JSON.stringify(await rein.client.ps({ all: true }), null, 1))
  console.log((await rein.client.cleanup({ clis: [], cwd: rein.cwd, env })).files.map((f) => f.what + ' ' + f.path + ' ' + f.reason).join('\n'))
  console.log(await readdir(rein.cwd))
})
