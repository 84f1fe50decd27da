/** Conversations with a real CLI, run by its driver and host alone: there is no daemon, and nobody answers its hooks. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v4 as uuid } from 'uuid'
import { onTestFinished } from 'vitest'
import { deployAssets } from '../../src/agents/launch/assets.ts'
import { ConversationReader } from '../../src/agents/conversation/conversation-reader.ts'
import { streamHost } from '../../src/agents/hosts/stream.ts'
import { writePrivateFiles } from '../../src/agents/launch/private-files.ts'
import { LaunchRequest } from '../../src/contract/agent.ts'
import type { ConversationEntry } from '../../src/contract/conversation.ts'
import type { HostEvent, LaunchPlan } from '../../src/contract/host.ts'
import type { Cut, Driver, Installed } from '../../src/drivers/contract.ts'
import { type Sim, startSim } from '../../src/sim/server.ts'
import { anAgent } from '../support/builders.ts'
import { type Cli, driverOf, envOf, pinnedVersion, programOf, settle } from '../support/clis.ts'
import { writeNoGuards } from '../support/no-guards.ts'
import { endProcessesIn } from './end-processes.ts'

const repository = join(import.meta.dirname, '../..')

/** One process of the CLI. */
export interface Talk {
  conversation: string
  pid: number
  /** Prompts, and resolves when the turn is over. */
  say: (prompt: string) => Promise<void>
  /** Prompts, and waits for nothing. */
  begin: (prompt: string) => Promise<void>
  end: () => Promise<void>
}

export interface Turn {
  prompt: string
  leaf: string
}

export interface Talks {
  driver: Driver
  sim: Sim
  cwd: string
  /** What the CLI is started with. */
  env: Record<string, string>
  open: (request?: Partial<LaunchRequest>) => Promise<Talk>
  transcriptOf: (conversation: string) => string
  /** As the daemon reads it. */
  read: (conversation: string) => { entries: ConversationEntry[]; turns: Turn[] }
  cut: (conversation: string, after: string, cwd?: string) => Promise<Cut>
}

export const startTalks = async (cli: Cli, installed?: Installed): Promise<Talks> => {
  const { path, version } = installed ?? { path: programOf(cli), version: pinnedVersion(cli) }
  const root = await mkdtemp(join(tmpdir(), 'rein-talks-'))
  const [cwd, home] = [join(root, 'project'), join(root, 'home')]
  for (const dir of [cwd, home]) await mkdir(dir, { mode: 0o700 })
  const sim = await startSim({ scenario: '' })
  await settle(cli, home, sim.url, cwd)
  const world: World = {
    driver: driverOf(cli),
    installed: { path, version },
    root,
    cwd,
    env: { ...envOf(cli, home, sim.url), ...(await writeNoGuards(root)) },
  }
  onTestFinished(async () => {
    await endProcessesIn(root)
    await sim.close()
    await rm(root, { recursive: true, force: true, maxRetries: 5 })
  })
  const { env } = planOf(world, {})
  const transcriptOf = (conversation: string): string =>
    world.driver.transcript.locate(conversation, cwd, env) ?? `no transcript of ${conversation}`
  return {
    driver: world.driver,
    sim,
    cwd,
    env,
    open: (request = {}) => open(world, request),
    transcriptOf,
    read: (conversation) => read(world.driver, conversation, transcriptOf(conversation)),
    cut: async (conversation, after, elsewhere = cwd) => {
      if (world.driver.cut === null) throw new Error(`${cli.name} cannot cut.`)
      const transcript = transcriptOf(conversation)
      const request = { conversation, transcript, after, newConversation: uuid(), cwd: elsewhere, env }
      return world.driver.cut({ ...request, installed: world.installed })
    },
  }
}

interface World {
  driver: Driver
  installed: Installed
  root: string
  cwd: string
  env: Record<string, string>
}

const open = async (world: World, request: Partial<LaunchRequest>): Promise<Talk> => {
  const plan = planOf(world, request)
  writePrivateFiles(plan.files)
  const events = new Events()
  const host = streamHost(world.driver.stream)
  const agent = await host.start(join(world.root, 'agents', uuid()), plan, (event) => events.take(event))
  let isOver = false
  const end = async (): Promise<void> => {
    if (isOver) return
    isOver = true
    await agent.stop(2000)
    agent.release()
  }
  onTestFinished(end)
  const say = async (prompt: string): Promise<void> => {
    const from = events.count
    await agent.prompt(prompt)
    await events.next(isState('working'), from)
    await events.next(isState('idle'), from)
  }
  const conversation = plan.conversation ?? (await events.next(isConversation)).conversation
  return { conversation, pid: agent.process.pid, say, begin: (prompt) => agent.prompt(prompt), end }
}

const isState =
  (state: string) =>
  (event: HostEvent): event is Extract<HostEvent, { kind: 'state' }> =>
    event.kind === 'state' && event.state === state

const isConversation = (event: HostEvent): event is Extract<HostEvent, { kind: 'conversation' }> =>
  event.kind === 'conversation'

/** What a host tells, for whoever waits for it. */
class Events {
  readonly #all: HostEvent[] = []
  #waiting: (() => void)[] = []

  get count(): number {
    return this.#all.length
  }

  take(event: HostEvent): void {
    this.#all.push(event)
    for (const look of this.#waiting.splice(0)) look()
  }

  /** The first one from there on. */
  async next<T extends HostEvent>(match: (event: HostEvent) => event is T, from = 0): Promise<T> {
    for (;;) {
      const found = this.#all.slice(from).find(match)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }
}

const planOf = ({ driver, installed, root, cwd, env }: World, request: Partial<LaunchRequest>): LaunchPlan => {
  const host = 'stream'
  const [programs, skills] = [join(repository, 'bin'), join(repository, 'skills')]
  const transport = { kind: 'socket' as const, url: '' }
  const files = driver.assets({ version: installed.version, host, programs, skills, transport })
  const own = {
    REIN_AGENT: 'agt_talks',
    REIN_TOKEN: 'none',
    REIN_SOCKET: join(root, 'none.sock'),
    REIN_SPOOL: root,
    // Nobody would let go of a waiter here.
    REIN_WAITERS: '',
  }
  return driver.launch(LaunchRequest.parse({ cwd, autoApprove: true, ...request }), {
    installed,
    host,
    assets: deployAssets(root, 'assets', files),
    private: join(root, 'private'),
    env: { ...env, ...own },
    mcp: [process.execPath, '-e', ''],
    newConversation: uuid(),
  })
}

const read = (driver: Driver, conversation: string, transcript: string): ReturnType<Talks['read']> => {
  const [entries, turns]: [ConversationEntry[], Turn[]] = [[], []]
  const reader = new ConversationReader(anAgent(), conversation, transcript, driver, 0, {
    onTurns: (records) => {
      for (const { type, body } of records) {
        if (type === 'turn.started') turns.push({ prompt: body.prompt, leaf: '' })
        const last = turns.at(-1)
        if (type === 'turn.ended' && last !== undefined) last.leaf = body.leaf
      }
    },
    onEntry: (entry) => void entries.push(entry),
    onRead: () => undefined,
  })
  reader.look()
  reader.endTurn('stop')
  reader.close()
  return { entries, turns }
}
