import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ControlClient } from '../../src/agents/hosts/tmux/control.ts'
import { ControlConnection } from '../../src/agents/hosts/tmux/control-connection.ts'
import { runTmux } from '../../src/agents/hosts/tmux/server.ts'
import { killProcess } from '../kill.ts'
import { hasTmux } from '../abilities.ts'
import { gone } from './harness.ts'

describe.runIf(hasTmux)('a control client that is closed', () => {
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
    killProcess(Number(pid), 'SIGSTOP')
    const closed = control.close()
    await looks(socket, 3).catch(() => undefined)
    await closed
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

  test('is gone afterwards, and so is the one that a killed daemon left behind', async () => {
    const socket = await startServer()
    const clientOf = async (control: ControlClient): Promise<number> =>
      Number((await control.run(`display-message -p '#{client_pid}'`))[0])
    const left = await clientOf(new ControlClient(socket))
    const control = new ControlClient(socket)
    expect(await clientOf(control)).not.toBe(left)
    await gone(left)
    await control.close()
    expect((await runTmux(socket, 'list-clients')).trim()).toBe('')
  })
})
