import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pollSentence } from '../../src/contract/wake.ts'
import { createBox, repository, until } from './harness.ts'

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Runs a command of which its hook tells, is idle then, and writes down how it was started and what it is told. */
const writingClaude = (started: string, told: string): string => `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
echo "$*" >'${started}'
while [ $# -gt 0 ]; do case $1 in --session-id) id=$2 ;; esac; shift; done
printf '{"session_id":"%s","cwd":"%s","hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"make heard-of"},"tool_response":{"stdout":"","stderr":"","interrupted":false}}' "$id" "$PWD" |
  ${join(repository, 'bin/rein-hook')} claude PostToolUse
echo '{"type":"result","subtype":"success"}'
exec cat >'${told}'
`

test('port, log file, permission mode, safety poll, feed and ephemeral memory are as they are set', async () => {
  const port = await freePort()
  const box = createBox({
    REIN_DAEMON_PORT: String(port),
    REIN_AGENTS_PERMISSION_MODE: 'plan',
    REIN_NOTIFY_SAFETY_POLL_S: '1',
    REIN_MEMORY_FEED: 'false',
    REIN_LOG_FILE: 'elsewhere.log',
  })
  const [started, told] = [join(box.root, 'started'), join(box.root, 'told')]
  writeFileSync(box.env['REIN_CLAUDE_PATH'] ?? '', writingClaude(started, told), { mode: 0o755 })
  expect(await box.rein(['up', 'worker', '--host', 'stream'])).toMatchObject({ code: 0 })
  expect((await box.rein(['config', 'paths', 'port'])).stdout).toBe(`${port}\n`)
  const log = join(box.paths.state, 'elsewhere.log')
  expect([(await box.rein(['config', 'paths', 'log'])).stdout, existsSync(log)]).toEqual([`${log}\n`, true])
  expect(readFileSync(started, 'utf8')).toContain('--permission-mode plan')
  await until(() => existsSync(told) && readFileSync(told, 'utf8').includes(pollSentence))

  const ingest = (command: string) => box.rein(['memory', 'ingest'], { env: { REIN_CMD: command, REIN_EXIT: '0' } })
  await ingest('make by-hand')
  const { stdout } = await box.rein(['memory', 'history'])
  expect(stdout).toContain('make by-hand')
  expect(stdout).not.toContain('make heard-of')
  await box.rein(['config', 'set', 'memory.ephemeral', 'true'])
  await box.rein(['daemon', 'stop'])
  await ingest('make secret')
  expect((await box.rein(['memory', 'history'])).stdout).not.toContain('make secret')
})
