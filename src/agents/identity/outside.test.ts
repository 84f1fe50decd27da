import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { aCall, anAgent, tempDir } from '../../../test/support/builders.ts'
import type { JoinedAgent, Supervisor } from '../supervisor.ts'
import type { Agent } from '../../contract/agent.ts'
import type { HookCall } from '../../contract/hooks.ts'
import { claude } from '../../drivers/claude/driver.ts'
import { codex } from '../../drivers/codex/driver.ts'
import type { Journal } from '../../contract/logs.ts'
import { findCliAbove, OutsideAgents } from './outside.ts'
import type { Settings } from '../../base/config/settings.ts'

/** A process that could be a CLI, and a supervisor that takes it in. */
const start = async ({ known = [], name = 'claude' }: { known?: Agent[]; name?: string } = {}) => {
  const child = spawn('sleep', ['60'], { argv0: name })
  onTestFinished(() => void child.kill())
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  const agents = [...known]
  const said: string[] = []
  const supervisor = {
    get agents() {
      return agents
    },
    join: async ({ handle, project, process, driver }: JoinedAgent) => {
      const agent = anAgent({ id: 'agt_hand', handle, project, process, driver: driver.name, host: 'outside' })
      agents.push(agent)
      return {
        agent,
        hearHook: (call: HookCall) => void said.push(`${call.agent} ${call.event}`),
        settleHook: (call: HookCall) => {
          if (call.event === 'prompt') done()
        },
      }
    },
  } as unknown as Supervisor
  let done: () => void = () => undefined
  const joined = new Promise<void>((resolve) => {
    done = resolve
  })
  const journal = { write: () => undefined } as unknown as Journal
  const settings = {} as Settings
  const outside = new OutsideAgents({ supervisor, journal, projects: { of: async () => 'place-1a2b3c' }, settings })
  const cwd = tempDir()
  const call = (given: Partial<HookCall>): HookCall => aCall({ agent: null, pid, cwd, ...given })
  return { outside, agents, said, call, joined, pid }
}

test('the first calls of an unknown process make it known, and are heard in order', async () => {
  const { outside, agents, said, call, joined, pid } = await start()
  expect(outside.identify(claude, call({ event: 'session_start' }), 'by-hand').agent).toBeNull()
  expect(outside.identify(claude, call({ event: 'prompt' }), 'by-hand').agent).toBeNull()
  await joined
  expect(agents).toMatchObject([{ handle: 'by-hand', host: 'outside', driver: 'claude', process: { pid } }])
  expect(said).toEqual(['agt_hand session_start', 'agt_hand prompt'])
  expect(outside.identify(claude, call({ event: 'stop' }), null)).toMatchObject({ agent: 'agt_hand', pid })
  expect(outside.recognise(claude, call({ event: 'stop' }))).toMatchObject({ agent: 'agt_hand' })
})

test('the hooks of another CLI in the same process are not its own', async () => {
  const { outside, call, joined } = await start()
  outside.identify(claude, call({ event: 'prompt' }), 'by-hand')
  await joined
  expect(outside.identify(codex, call({ event: 'prompt' }), null).agent).toBeNull()
})

test('a call keeps the process it came from: a child of the agent is not the agent', async () => {
  const { outside, call, joined, pid } = await start()
  outside.identify(claude, call({ event: 'prompt' }), 'by-hand')
  await joined
  const child = spawn('sh', ['-c', 'sleep 60 & echo $!; wait'])
  onTestFinished(() => void child.kill())
  expect(outside.identify(claude, call({ event: 'prompt', pid: child.pid ?? 0 }), null).pid).not.toBe(pid)
})

/** These tests may themselves run under any of the real ones. */
const other = { ...claude, program: 'cli-of-this-test', npmPackage: '@of-this-test/cli-code' }

test('a hook that is run by hand makes neither the shell nor the terminal around it an agent', async () => {
  const { outside, agents, call, joined } = await start({ name: 'terminal' })
  const shell = spawn('sh', ['-c', 'sleep 60; exit'])
  onTestFinished(() => void shell.kill())
  for (const caller of [{}, { pid: shell.pid ?? 0 }])
    expect(outside.identify(other, call({ event: 'prompt', ...caller }), null).agent).toBeNull()
  // Whoever is one is taken in after those that were called before.
  const cli = spawn('sleep', ['60'], { argv0: 'cli-of-this-test' })
  onTestFinished(() => void cli.kill())
  outside.identify(other, call({ event: 'prompt', pid: cli.pid ?? 0 }), 'by-hand')
  await joined
  expect(agents.map(({ process }) => process?.pid)).toEqual([cli.pid])
})

/** The id of a process that shows this name. */
const startAs = async (argv0: string, args: string[]): Promise<number> => {
  const child = spawn('sh', ['-c', 'read line', ...args], { argv0 })
  onTestFinished(() => void child.kill())
  await once(child, 'spawn')
  return child.pid ?? 0
}

test.each([
  ['its name', 'cli-of-this-test', []],
  ['its path', '/opt/cli-of-this-test/versions/2.1.9', []],
  ['a build of it', '/opt/cli-of-this-test.exe', []],
  ['a build of it for one system', '/opt/cli-of-this-test-linux-x64', []],
  ['a file of its package', '/usr/lib/node_modules/@of-this-test/cli-code/start.js', []],
])('a CLI is known by %s', async (_, argv0, args) => {
  const pid = await startAs(argv0, args)
  expect(findCliAbove(pid, other, null)).toBe(pid)
})

test.each([
  ['another name', '/opt/cli-of-this-tester', []],
  ['a name that goes on', '/home/ada/bin/cli-of-this-test-notes', []],
  ['an argument', 'other', ['cli-of-this-test']],
  ['the home of somebody of its name', '/home/cli-of-this-test/bin/code-server', []],
  ['a directory of its name', '/home/ada/cli-of-this-test/term', []],
  ['a directory that begins with its name', '/home/ada/cli-of-this-test-notes/term', []],
  ['versions of something else', '/home/cli-of-this-test/term/versions/2.1.9', []],
])('a CLI is not known by %s', async (_, argv0, args) => {
  expect(findCliAbove(await startAs(argv0, args), other, null)).toBeNull()
})

test('a helper of a CLI is no CLI of its own', async () => {
  // It speaks as a program of its own: a child that was only forked still has the name of the CLI.
  const cli = spawn('sh', ['-c', "sh -c 'echo $$; exec sleep 60' & wait"], { argv0: 'cli-of-this-test' })
  onTestFinished(() => void cli.kill())
  const [line] = (await once(cli.stdout, 'data')) as [Buffer]
  onTestFinished(() => void process.kill(Number(line)))
  expect(findCliAbove(Number(line), other, null)).toBe(cli.pid)
})

test('what is no handle is replaced by the directory and a number', async () => {
  const { outside, agents, call, joined } = await start()
  outside.identify(claude, call({ event: 'prompt' }), 'not a handle!')
  await joined
  expect(agents[0]?.handle).toMatch(/^[a-z0-9][a-z0-9_-]*-1$/)
})
