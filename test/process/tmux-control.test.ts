import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ControlClient } from '../../src/agents/hosts/tmux/control.ts'
import { ControlConnection } from '../../src/agents/hosts/tmux/control-connection.ts'
import { tmuxHost } from '../../src/agents/hosts/tmux/host.ts'
import { TmuxPane } from '../../src/agents/hosts/tmux/pane.ts'
import { runTmux } from '../../src/agents/hosts/tmux/server.ts'
import { killProcess } from '../support/kill.ts'
import { hasTmux } from '../support/abilities.ts'
import { gone, until } from './harness.ts'

const startServer = async (program = 'while :; do date; sleep 1; done'): Promise<string> => {
  const dir = mkdtempSync(join(tmpdir(), 'rein-tmux-'))
  const socket = join(dir, 's')
  await runTmux(socket, '-f', '/dev/null', 'new-session', '-d', '-s', 'agent', program)
  onTestFinished(async () => {
    await runTmux(socket, 'kill-server').catch(() => undefined)
    rmSync(dir, { recursive: true, force: true })
  })
  return socket
}

describe.runIf(hasTmux)('whether somebody has typed', () => {
  /** As a daemon sees it that has only just started. */
  const typedMsAgo = async (socket: string): Promise<number | null> => {
    const control = new ControlClient(socket)
    const pid = Number(await runTmux(socket, 'display-message', '-p', '-t', '=agent:', '#{pane_pid}'))
    const condition = await new TmuxPane(socket, control, 'agent', pid).condition()
    await control.close()
    return condition.typedMsAgo
  }

  /** Attaches, types, and closes the terminal. What is typed while it attaches may go nowhere. */
  const typeAndLeave = async (socket: string): Promise<void> => {
    const terminal = spawn('tmux', ['-S', socket, 'attach-session', '-t', '=agent'], { name: 'xterm-256color' })
    const left = new Promise((resolve) => terminal.onExit(resolve))
    const keys = setInterval(() => terminal.write('qz'), 100)
    await new Promise<void>((resolve) => terminal.onData((text) => text.includes('qz') && resolve()))
    clearInterval(keys)
    terminal.kill()
    await left
  }

  test('is known after they have left, also to a daemon that never saw them', async () => {
    const socket = await startServer('echo ready; exec cat')
    expect(await typedMsAgo(socket)).toBeNull()
    await runTmux(socket, 'send-keys', '-t', '=agent:', 'typed by Rein')
    expect(await typedMsAgo(socket)).toBeNull()
    await typeAndLeave(socket)
    expect(await typedMsAgo(socket)).toEqual(expect.any(Number))
  })
})

describe.runIf(hasTmux)('a control client that is closed', () => {
  const sessionsAfter = async (): Promise<string> => {
    const socket = await startServer()
    const control = new ControlClient(socket)
    const [pid] = await control.run(`display-message -p '#{client_pid}'`)
    killProcess(Number(pid), 'SIGSTOP')
    // It attaches before the other one goes: tmux 3.3 crashes when both happen at once.
    const { looked } = await watchServer(socket, 3)
    await Promise.all([control.close(), looked])
    const sessions = runTmux(socket, 'list-sessions', '-F', '#{session_name}')
    return sessions.then((names) => names.trim(), String)
  }

  /** Resolves when it is attached, with what resolves when the server has looked so often at what its sessions draw. */
  const watchServer = async (socket: string, times: number): Promise<{ looked: Promise<void> }> => {
    const attach = ['-S', socket, '-C', 'attach-session', '-t', '=agent']
    let left = times
    const looks = new EventEmitter()
    const { closed } = await ControlConnection.open(attach, () => --left === 0 && looks.emit('enough'))
    return { looked: Promise.race([once(looks, 'enough'), closed]).then(() => undefined) }
  }

  test('leaves the agents running, though its own process is slow to go', async () => {
    const left = await Promise.all(Array.from({ length: 6 }, sessionsAfter))
    expect(left).toEqual(Array(6).fill('agent'))
  })

  test('attaches while agents are started: tmux lives on, with all of them', async () => {
    const socket = await startServer()
    const handles = Array.from({ length: 12 }, (_, n) => `agent-${n}`)
    const control = new ControlClient(socket)
    const started = handles.map((name) =>
      control.inTurn(() => runTmux(socket, 'new-session', '-d', '-s', name, 'exec cat')),
    )
    await Promise.all([control.run('list-sessions'), ...started])
    const sessions = await control.run(`list-sessions -F '#{session_name}'`)
    expect(sessions.toSorted()).toEqual(['agent', ...handles, 'rein-control'].toSorted())
    await control.close()
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

test.runIf(hasTmux)('of agents that stand side by side, the one that somebody looks at is in use', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'rein-tmux-'))
  const socket = join(dir, 's')
  const control = new ControlClient(socket)
  onTestFinished(async () => {
    await control.close()
    await runTmux(socket, 'kill-server').catch(() => undefined)
    rmSync(dir, { recursive: true, force: true })
  })
  const terminal = {
    read: () => ({ kind: 'busy' as const, draft: '' }),
    interrupt: { keys: [], pauseMs: 0 },
    enterDelayMs: 0,
  }
  const waiters = (agentDir: string): string => join(agentDir, 'waiters')
  const host = tmuxHost({ socket, control, overview: 'crew', terminal, waiters, quietMs: 60_000, stillMs: 60_000 })
  const started = async (name: string) => {
    const plan = { command: 'cat', args: [], env: {}, cwd: dir, conversation: null, firstPrompt: null, files: [] }
    const agent = await host.start(join(dir, name), plan, () => undefined)
    onTestFinished(() => agent.release())
    return agent
  }
  const [first, second] = [await started('first'), await started('second')]
  expect(await first.isInUse?.()).toBe(false)
  const person = spawn('tmux', ['-S', socket, 'attach-session', '-t', '=crew'], {
    name: 'xterm-256color',
    cols: 100,
    rows: 30,
  })
  onTestFinished(() => person.kill('SIGKILL'))
  await until(async () => (await first.isInUse?.()) === true)
  expect(await second.isInUse?.()).toBe(false)
})
