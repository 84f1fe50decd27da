import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBox, until } from './harness.ts'

/** Asks for permission, whatever it is prompted with. */
const askingClaude = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
echo '{"type":"result","subtype":"success"}'
while read -r line; do
  echo '{"type":"control_request","request_id":"q1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"rm -rf build"}}}'
done
`

test('a person is notified of a question by a program of theirs, until they switch that off', async () => {
  const box = createBox()
  expect(await box.rein(['status', '--short'])).toMatchObject({ code: 0, stdout: '', stderr: '' })
  expect(existsSync(box.paths.socket)).toBe(false)
  expect((await box.rein(['notify', 'status'])).stdout).toContain('Notifications are off')
  expect(await box.rein(['notify', 'test'])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('rein notify on'),
  })
  const shown = join(box.root, 'shown')
  const program = join(box.root, 'tell-me')
  writeFileSync(program, `#!/bin/sh\ncat >> '${shown}'\n`, { mode: 0o755 })
  const on = await box.rein(['notify', 'on', '--event', 'asks', '--', program])
  expect(on).toMatchObject({ code: 0, stdout: expect.stringContaining('on, for: asks.') })
  expect(await box.rein(['notify', 'test'])).toMatchObject({ code: 0, stdout: expect.stringContaining('was shown by') })
  writeFileSync(box.env['REIN_CLAUDE_PATH'] ?? '', askingClaude)
  const request = { cwd: box.cwd, env: {}, args: [], prompt: 'Clean up.' }
  await box.client().up({ handle: 'alpha', driver: 'claude', host: 'stream', request, env: box.env })
  await until(() => readFileSync(shown, 'utf8').trim().split('\n').length === 2)
  const notices = readFileSync(shown, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(notices[1]).toMatchObject({ event: 'asks', handle: 'alpha', what: '' })
  expect(await box.rein(['status', '--short'])).toMatchObject({ code: 0, stdout: '1 asks\n' })
  expect(JSON.parse((await box.rein(['status', '--short', '--json'])).stdout)).toEqual([{ word: 'asks', count: 1 }])
  expect(await box.rein(['notify', 'off'])).toMatchObject({ code: 0, stdout: 'Notifications are off.\n' })
  expect((await box.client().channels()).channels.map(({ name }) => name)).not.toContain('notify')
})
