/** What a CLI really does with what its hooks say: it is run by its driver, and every hook is answered here. */
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { v4 as uuid } from 'uuid'
import { deployAssets } from '../../src/agents/launch/assets.ts'
import { streamHost } from '../../src/agents/hosts/stream.ts'
import { ControlClient } from '../../src/agents/hosts/tmux/control.ts'
import { tmuxHost } from '../../src/agents/hosts/tmux/host.ts'
import { runTmux } from '../../src/agents/hosts/tmux/server.ts'
import { writePrivateFiles } from '../../src/agents/launch/private-files.ts'
import { type HostKind, LaunchRequest } from '../../src/contract/agent.ts'
import { emptyReply, type HookCall, type ResponderReply } from '../../src/contract/hooks.ts'
import type { Host, HostedAgent, HostEvent, LaunchPlan } from '../../src/contract/host.ts'
import type { Driver, Installed } from '../../src/drivers/contract.ts'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { type Sim, startSim } from '../../src/sim/server.ts'
import { endProcessesIn } from '../e2e/end-processes.ts'
import { writeNoGuards } from '../support/no-guards.ts'

const repository = join(import.meta.dirname, '../..')

/** What is probed: an installed CLI, its driver, and a home in which it talks to the scripted model. */
export interface Subject {
  driver: Driver
  installed: Installed
  settle: (home: string, url: string, cwd: string) => Promise<void>
  env: (home: string, url: string) => Record<string, string>
}

export interface Probe {
  calls: readonly HookCall[]
  requests: readonly SimRequest[]
  cwd: string
  home: string
  /** Resolves at the first hook call that satisfies `match`. */
  called: (match: (call: HookCall) => boolean) => Promise<HookCall>
  sim: Sim
  agent: HostedAgent
  close: () => Promise<void>
}

export interface ProbeOptions {
  /** The address of an MCP server. */
  mcp?: readonly string[]
  /** What is asked of the launch beside the prompt; everything is approved unless it says otherwise. */
  request?: Partial<LaunchRequest>
  env?: Record<string, string>
  /** What its host tells. */
  heard?: (event: HostEvent) => void
}

/** Starts a conversation whose hook calls are answered by `reply`. */
export const startProbe = async (
  { driver, installed, settle, env }: Subject,
  kind: 'stream' | 'tmux',
  prompt: string,
  reply: (call: HookCall) => ResponderReply | Promise<ResponderReply>,
  { mcp = [process.execPath, '-e', ''], request = {}, env: more = {}, heard = () => undefined }: ProbeOptions = {},
): Promise<Probe> => {
  const root = await mkdtemp(join(tmpdir(), 'rein-probe-'))
  const [cwd, home] = [join(root, 'project'), join(root, 'home')]
  for (const dir of [cwd, home, join(root, 'waiters')]) await mkdir(dir, { mode: 0o700 })
  const sim = await startSim()
  await settle(home, sim.url, cwd)
  const hooks = await startHooks(driver, installed.version, join(root, 'hooks.sock'), reply)
  const given = { cwd, prompt, autoApprove: true, ...request }
  const own = { ...env(home, sim.url), ...(await writeNoGuards(root)), ...more }
  const plan = planOf(driver, installed, kind, root, own, given, mcp)
  writePrivateFiles(plan.files)
  const { host, end } = hostOf(driver, kind, root)
  const agent = await host.start(join(root, 'agent'), plan, heard)
  const close = async (): Promise<void> => {
    agent.release()
    await end()
    await endProcessesIn(root)
    hooks.server.close()
    hooks.server.closeAllConnections()
    await sim.close()
    await rm(root, { recursive: true, force: true, maxRetries: 5 })
  }
  return { calls: hooks.calls, requests: sim.requests, cwd, home, called: hooks.called, sim, agent, close }
}

const planOf = (
  driver: Driver,
  installed: Installed,
  host: HostKind,
  root: string,
  env: Record<string, string>,
  given: Record<string, unknown>,
  mcp: readonly string[],
): LaunchPlan => {
  const [programs, skills] = [join(repository, 'bin'), join(repository, 'skills')]
  const transport = { kind: 'socket' as const, url: '' }
  const files = driver.assets({ version: installed.version, host, programs, skills, transport })
  const own = {
    REIN_AGENT: 'agt_probe',
    REIN_TOKEN: 'none',
    REIN_SOCKET: join(root, 'hooks.sock'),
    REIN_SPOOL: root,
    REIN_WAITERS: join(root, 'waiters'),
    REIN_HOOK_DEADLINE_MS: '4000',
  }
  return driver.launch(LaunchRequest.parse(given), {
    installed,
    host,
    assets: deployAssets(root, 'assets', files),
    private: join(root, 'private'),
    env: { ...env, ...own },
    mcp,
    newConversation: uuid(),
  })
}

const hostOf = (driver: Driver, kind: 'stream' | 'tmux', root: string): { host: Host; end: () => Promise<unknown> } => {
  if (kind === 'stream') return { host: streamHost(driver.stream), end: () => Promise.resolve() }
  const socket = join(root, 'tmux.sock')
  const control = new ControlClient(socket)
  const host = tmuxHost({
    socket,
    control,
    overview: 'rein',
    terminal: driver.terminal,
    quietMs: 0,
    stillMs: 4000,
    waiters: () => join(root, 'waiters'),
  })
  const end = async (): Promise<void> => {
    await control.close()
    await runTmux(socket, 'kill-server').catch(() => undefined)
  }
  return { host, end }
}

interface Hooks {
  server: Server
  calls: HookCall[]
  called: Probe['called']
}

const startHooks = async (
  driver: Driver,
  version: string,
  socket: string,
  reply: (call: HookCall) => ResponderReply | Promise<ResponderReply>,
): Promise<Hooks> => {
  const calls: HookCall[] = []
  const waiting: { match: (call: HookCall) => boolean; resolve: (call: HookCall) => void }[] = []
  const server = createServer((request, response) => {
    // Its guard asks in its own way, and finds nothing to guard.
    if (request.url?.startsWith('/v1/guard/')) return void response.writeHead(404).end()
    const answer = async (): Promise<void> => {
      const native = (request.url ?? '').split('?')[0]?.split('/').at(-1) ?? ''
      const payload: unknown = await json(request).catch(() => null)
      const call = driver.hooks.decode(payload, { native, agent: 'agt_probe', pid: null, conversation: null })
      calls.push(call)
      for (const { match, resolve } of waiting) if (match(call)) resolve(call)
      const said = driver.hooks.encode(call, { ...emptyReply, ...(await reply(call)) }, version)
      response.end(`${said === null ? '' : JSON.stringify(said)}\nrein-end\n`)
    }
    return void answer()
  })
  await once(server.listen(socket), 'listening')
  const called = (match: (call: HookCall) => boolean): Promise<HookCall> => {
    const known = calls.find(match)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve) => waiting.push({ match, resolve }))
  }
  return { server, calls, called }
}
