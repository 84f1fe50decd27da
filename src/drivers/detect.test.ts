import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../test/support/builders.ts'
import { processStartTime } from '../base/util/process.ts'
import { detect as detectDriver } from './detect.ts'

const detect = (env: NodeJS.ProcessEnv, path: string | null) => detectDriver({ program: 'claude' }, env, path)

const program = (script: string, mode = 0o755, name = 'claude'): string => {
  const dir = tempDir()
  writeFileSync(join(dir, name), `#!/bin/sh\n${script}\n`, { mode })
  return dir
}
const saying = 'echo "2.1.197 (Claude Code)"'

test('the first one on the PATH that can be run', async () => {
  const [first, second] = [program('exit 0', 0o644), program(saying)]
  const path = ['/no/such/place', first, '', second].join(':')
  expect(await detect({ PATH: path }, null)).toEqual({ path: join(second, 'claude'), version: '2.1.197' })
})

test('the configured one, wherever it is', async () => {
  const path = join(program(saying, 0o755, 'my-claude'), 'my-claude')
  expect(await detect({ PATH: '' }, path)).toEqual({ path, version: '2.1.197' })
})

test.each([
  ['says no version', 'echo hello'],
  ['fails', 'echo 2.1.197; exit 1'],
])('one that %s is none', async (_, script) => {
  expect(await detect({ PATH: program(script) }, null)).toBeNull()
})

test('there is none', async () => {
  expect(await detect({ PATH: tempDir() }, null)).toBeNull()
  expect(await detect({}, null)).toBeNull()
  expect(await detect({}, '/no/such/claude')).toBeNull()
})

test('it is asked in the environment it would run in', async () => {
  const dir = program('echo "$FAKE_VERSION"')
  expect(await detect({ PATH: dir, FAKE_VERSION: '2.1.200' }, null)).toMatchObject({ version: '2.1.200' })
})

test('one that hangs is none, and is ended', async () => {
  const dir = program('echo $$ >"$PID_FILE"; sleep 1000')
  const file = join(dir, 'pid')
  const env = { PATH: `${dir}:${process.env['PATH']}`, PID_FILE: file }
  expect(await detectDriver({ program: 'claude' }, env, null, 300)).toBeNull()
  expect(processStartTime(Number(readFileSync(file, 'utf8')))).toBeNull()
})
