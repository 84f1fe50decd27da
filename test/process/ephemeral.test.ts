import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBox, repository } from './harness.ts'

/** Has run a command before it is idle: its hook tells of it, and it tells of another one itself. */
const busyClaude = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
while [ $# -gt 0 ]; do case $1 in --session-id | --resume) id=$2 ;; esac; shift; done
REIN_CMD="make told-by-$REIN_HANDLE" rein memory ingest
printf '{"session_id":"%s","cwd":"%s","hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"t-%s","tool_input":{"command":"make heard-of-%s"},"tool_response":{"stdout":"","stderr":"","interrupted":false}}' "$id" "$PWD" "$REIN_HANDLE" "$REIN_HANDLE" |
  ${join(repository, 'bin/rein-hook')} claude PostToolUse
echo '{"type":"result","subtype":"success"}'
exec cat >/dev/null
`

test('nothing is remembered of an ephemeral agent, however that is said, also after a restart', async () => {
  const box = createBox()
  writeFileSync(box.env['REIN_CLAUDE_PATH'] ?? '', busyClaude, { mode: 0o755 })
  await box.daemon()
  const up = async (handle: string, args: string[] = [], env: Record<string, string> = {}): Promise<void> => {
    const { stdout } = await box.rein(['up', handle, '--host', 'stream', '--json', ...args], { env })
    expect(JSON.parse(stdout)).toMatchObject({ handle, state: 'idle' })
  }
  await up('flagged', ['--ephemeral'])
  await up('private', [], { REIN_EPHEMERAL: '1' })
  await up('from-clai', [], { CLAI_EPHEMERAL: '1' })
  await box.rein(['restart', 'flagged'])
  await up('open')
  const { stdout } = await box.rein(['memory', 'history', '--json'])
  const commands = (JSON.parse(stdout) as { command: string }[]).map(({ command }) => command)
  expect(commands.toSorted()).toEqual(['make heard-of-open', 'make told-by-open'])
})

test('what is told with the variable of clai is not kept', async () => {
  const box = createBox()
  await box.daemon()
  const told = { CLAI_CMD: 'make private', CLAI_EXIT: '0' }
  await box.rein(['memory', 'ingest'], { env: { ...told, CLAI_EPHEMERAL: '1' } })
  await box.rein(['memory', 'ingest'], { env: { ...told, CLAI_CMD: 'make known' } })
  const { stdout } = await box.rein(['memory', 'history'])
  expect(stdout).toContain('make known')
  expect(stdout).not.toContain('make private')
})
