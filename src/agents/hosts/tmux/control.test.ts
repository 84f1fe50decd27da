import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ControlClient, isGone } from './control.ts'
import { ControlConnection } from './control-connection.ts'
import { runTmux } from './server.ts'

test.each([
  ['tmux: no server running on /tmp/x', true],
  ['tmux: error connecting to /tmp/x (No such file or directory)', true],
  ['tmux: error connecting to /tmp/x (Connection refused)', true],
  ['tmux: error connecting to /tmp/x (Permission denied)', false],
  ['tmux: error connecting to /tmp/x (Resource temporarily unavailable)', false],
])('%s: gone is %s', (complaint, expected) => {
  expect(isGone(complaint)).toBe(expected)
})

describe('a control client that is closed', () => {
  const startServer = async (): Promise<string> => {
    const dir = mkdtempSync(join(tmpdir(), 'rein-tmux-'))
    const socket = join(dir, 's')
    await runTmux(socket, '-f', '/dev/null', 'new-session', '-d', '-s', 'agent', 'while :; do date; sleep 1; done')
    onTestFinished(async () => {
      await runTmux(socket, 'kill-server').catch(() => undefined)
      rmSync(dir, { recursive: true, force: true })
    })
    return socket
  }

  const sessionsAfter = async (): Promise<string> => {
    const socket = await startServer()
    const control = new ControlClient(socket)
    const [pid] = await control.run(`display-message -p '#{client_pid}'`)
    process.kill(Number(pid), 'SIGSTOP')
    onTestFinished(() => void process.kill(Number(pid), 'SIGKILL'))
    control.close()
    await looks(socket, 3).catch(() => undefined)
    const sessions = runTmux(socket, 'list-sessions', '-F', '#{session_name}')
    return sessions.then((names) => names.trim(), String)
  }

  /** Resolves when the server has told of what its sessions draw this often: it looks once a second. */
  const looks = (socket: string, times: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const attach = ['-S', socket, '-C', 'attach-session', '-t', '=agent']
      let left = times
      void ControlConnection.open(attach, () => --left === 0 && resolve()).then(
        ({ closed }) => closed.then(reject),
        reject,
      )
    })

  test('leaves the agents running, though its own process is slow to go', async () => {
    const left = await Promise.all(Array.from({ length: 6 }, sessionsAfter))
    expect(left).toEqual(Array(6).fill('agent'))
  })
})
