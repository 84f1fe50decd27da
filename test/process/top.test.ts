import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import type { AgentView } from '../../src/contract/routes/agents.ts'
import { hasTmux } from '../support/abilities.ts'
import { type Box, createBox, repository } from './harness.ts'
import { onScreen } from './screen.ts'

/** Idle at once; whatever it is prompted with, it asks before it does it, with a text that would clear the screen. */
const askingClaude = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
done='{"type":"result","subtype":"success"}'
echo "$done"
while read -r line; do
  case $line in
    *control_response*) echo "$done" ;;
    *) echo '{"type":"control_request","request_id":"q1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"rm -rf \\u001b[2J漢字"}}}' ;;
  esac
done
`

/** In a terminal: an idle screen that it is known by. */
const claudeWithScreen = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
[ -t 1 ] || { echo '{"type":"result","subtype":"success"}'; exec cat >/dev/null; }
printf 'its own screen\\n\\n────────────────────\\n❯ \\n────────────────────\\n  ? for shortcuts\\n'
exec cat >/dev/null
`

const ask = async (box: Box, handle: string, prompt?: string): Promise<AgentView> => {
  const request = { cwd: box.cwd, env: {}, args: [], ...(prompt === undefined ? {} : { prompt }) }
  return box.client().up({ handle, driver: 'claude', host: 'stream', request, env: box.env })
}

const has = (text: string | RegExp) => (lines: string[]) =>
  lines.some((line) => (typeof text === 'string' ? line.includes(text) : text.test(line)))

describe('rein top', () => {
  test('shows agents, follows them, and gives the screen back', async () => {
    const box = createBox()
    await ask(box, 'alpha')
    await ask(box, 'beta')
    const screen = onScreen(['top'], box)
    await screen.until(has(/^› alpha .* idle/))
    expect(screen.isAlternate()).toBe(true)
    screen.press('j')
    await screen.until(has(/^› beta/))
    await screen.until(has(/^── .*\/beta ─+$/))
    await box.client().down({ target: 'alpha', cwd: box.cwd })
    await screen.until(has(/^rein top 1 agent /))
    await ask(box, 'gamma')
    await screen.until(has(/^ {2}gamma .* idle/))
    screen.press('/gam\r')
    const filtered = await screen.until(has(/^› gamma/))
    expect(has('beta')(filtered)).toBe(false)
    screen.press('q')
    expect(await screen.ended).toBe(0)
    const after = await screen.until(has('before'))
    expect([screen.isAlternate(), after.filter(Boolean)]).toEqual([false, ['before']])
  })

  test('answers what is asked after a y, and shows no control character of it', async () => {
    const box = createBox()
    writeFileSync(box.env['REIN_CLAUDE_PATH'] ?? '', askingClaude)
    await ask(box, 'alpha', 'Clean up.')
    const screen = onScreen(['top'], box)
    await screen.until(has('command: rm -rf \\u{1b}[2J漢字'))
    await screen.until(has(/^› alpha .* asks you/))
    screen.press('a')
    await screen.until(has(/^y = allow, n = deny, .* · Bash: rm -rf \\u\{1b\}\[2J漢字$/))
    screen.press('y')
    await screen.until(has(/^› alpha .* idle/))
    screen.press('a')
    await screen.until(has('alpha asks nothing.'))
    screen.press('p')
    await screen.until(has(/^› alpha .* paused/))
    screen.press('\u0003')
    expect(await screen.ended).toBe(0)
  })

  test('fits a narrow terminal, a low one, and one that changes', async () => {
    const box = createBox()
    for (const handle of ['a1', 'a2', 'a3']) await ask(box, handle)
    const screen = onScreen(['top'], { ...box, columns: 60, rows: 24 })
    await screen.until(has(/^t tell .* q quit$/))
    screen.resize(40, 6)
    const lines = await screen.until((all) => all.length === 6 && has(/^t tell .* q quit$/)(all) && has(/^› a1/)(all))
    expect(lines[0]).toMatch(/^rein top 3 agents .* \d\d:\d\d:\d\d$/)
    screen.press('\u001b[B\u001b[B')
    await screen.until(has(/^› a3/))
    screen.signal('SIGTERM')
    expect(await screen.ended).toBe(0)
    expect(screen.isAlternate()).toBe(false)
  })

  test('hands the terminal over to the agent, and comes back', async () => {
    const box = createBox()
    writeFileSync(box.env['REIN_CLAUDE_PATH'] ?? '', claudeWithScreen)
    const request = { cwd: box.cwd, env: {}, args: [] }
    await box.client().up({ handle: 'alpha', driver: 'claude', host: hasTmux ? 'tmux' : 'pty', request, env: box.env })
    await ask(box, 'stream')
    const screen = onScreen(['top'], { ...box, env: { ...box.env, TERM: 'xterm-256color', LANG: 'C.UTF-8' } })
    await screen.until(has(/^› alpha/))
    screen.press('\r')
    await screen.until(has('its own screen'))
    screen.press('\u0002d')
    await screen.until(has(/^› alpha/))
    screen.press('j')
    await screen.until(has(/^› stream/))
    screen.press('\r')
    await screen.until(has('stream has no terminal'))
    screen.press('q')
    expect(await screen.ended).toBe(0)
  })

  test('says when the daemon is away, and goes on when it is back', async () => {
    const box = createBox()
    await ask(box, 'alpha')
    const screen = onScreen(['top'], box)
    await screen.until(has(/^› alpha/))
    await box.client().stop()
    await screen.until(([title]) => title?.startsWith('The daemon') === true)
    await box.client().hello()
    await screen.until(has(/^rein top 1 agent /))
    screen.press('q')
    expect(await screen.ended).toBe(0)
  })

  test('needs a terminal, or prints JSON', async () => {
    const box = createBox()
    expect(await box.rein(['top'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('terminal') })
  })
})

describe('rein ps --watch', () => {
  test('draws in place, and leaves the last table behind', async () => {
    const box = createBox()
    await ask(box, 'alpha')
    const screen = onScreen(['ps', '--watch'], box)
    await screen.until(has(/^alpha .* idle/))
    await ask(box, 'beta')
    const lines = await screen.until(has(/^beta .* idle/))
    expect(lines.filter((line) => line.includes('HANDLE'))).toHaveLength(1)
    screen.press('\u0003')
    expect(await screen.ended).toBe(0)
    const after = await screen.until((all) => has('before')(all) && has(/^beta .* idle/)(all))
    expect([screen.isAlternate(), after.filter((line) => line.includes('HANDLE')).length]).toEqual([false, 1])
  })

  const oneHandle = expect.stringMatching(/^\[\{"handle":"alpha",/)

  test.each([
    [
      ['ps', '-w'],
      [expect.stringContaining('No agents'), '', expect.stringMatching(/^HANDLE /)],
    ],
    [
      ['ps', '-w', '--json'],
      ['[]', oneHandle],
    ],
    [
      ['top', '--json'],
      ['[]', oneHandle],
    ],
  ])('rein %j: again at each change when it is piped', async (args, beginning) => {
    const box = createBox()
    await box.client().hello()
    const child = spawn(process.execPath, [`${repository}/bin/rein.cjs`, ...args], box)
    const lines: string[] = []
    for await (const line of createInterface(child.stdout)) {
      if (lines.push(line) === 1) await ask(box, 'alpha')
      if (/alpha.*idle/.test(line)) break
    }
    child.kill('SIGINT')
    expect((await once(child, 'exit'))[0]).toBe(0)
    expect(lines.slice(0, beginning.length)).toEqual(beginning)
  })
})
