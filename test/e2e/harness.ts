import { execFile } from 'node:child_process'
import { constants, existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import type { AgentView, UpRequest } from '../../src/contract/routes/agents.ts'
import type { TellRequest, Told } from '../../src/contract/routes/directives.ts'
import type { Receipt, ReceiptState } from '../../src/contract/directive.ts'
import type { AnyRecord } from '../../src/contract/record.ts'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { type Sim, startSim } from '../../src/sim/server.ts'
import { type ReinPaths, reinPaths } from '../../src/base/util/paths.ts'
import { type Cli, cliNamed, envOf, programOf, settle } from '../support/clis.ts'
import { killProcess } from '../support/kill.ts'
import { endProcessesIn } from './end-processes.ts'
import { lookUntil } from './look.ts'

const repository = join(import.meta.dirname, '../..')
/** By their own paths: both packages claim the same name in `node_modules/.bin`. */
export const newestClaude = programOf(cliNamed('claude'))
export const minimumClaude = join(repository, 'node_modules/claude-code-min/cli.js')
export const reinBin = join(repository, 'bin/rein.cjs')

/** The reflex of an obedient agent. Codex shows its model the text of a stop hook with `<` as `&lt;`. */
export const acksEverything = String.raw`on (?:<|&lt;)rein-directive id=(?:"|&quot;)(dir_[0-9a-f-]+) do RUN:rein ack $1`

export interface TestRein {
  cli: Cli
  sim: Sim
  client: Client
  paths: ReinPaths
  /** The agent's working directory. */
  cwd: string
  /** The agent's own HOME. */
  home: string
  daemonEnv: Record<string, string>
  /** Runs this when the test is over. */
  onFinished: OnFinished
  up: (prompt: string | null, request?: Partial<UpRequest['request']>, more?: Partial<UpRequest>) => Promise<AgentView>
  tell: (text: string, more?: Partial<Omit<TellRequest, 'cwd' | 'project'>>) => Promise<Told>
  /** Resolves when the receipt has come as far as `state`. */
  reached: (id: string, state: 'placed' | 'seen' | 'acked' | 'closed') => Promise<Receipt>
  /** Resolves at the first receipt that satisfies `match`. */
  until: (id: string, match: (receipt: Receipt) => boolean) => Promise<Receipt>
  /** What a person would type into the agent. */
  type: (text: string) => Promise<void>
  /** Runs the command line as a user would. */
  rein: (...args: string[]) => Promise<{ code: number; stdout: string; stderr: string }>
  /** Resolves at the first record of the topic that satisfies `match`. */
  record: <T extends AnyRecord>(topic: string, match: (record: AnyRecord) => record is T, after?: number) => Promise<T>
  /** Ends the daemon as a crash would. */
  killDaemon: () => Promise<void>
}

type OnFinished = (end: () => Promise<void> | void) => void

export interface TestOptions {
  /** What the agents are. */
  cli?: Cli
  /** Its program, if not the pinned one. */
  program?: string
  scenario?: string
  config?: Record<string, string>
  /** The context's own, where several tests run at once: only it knows which of them is meant. */
  onTestFinished?: OnFinished
}

/** A daemon, a scripted model and a home of their own; everything is gone after the test. */
export const startRein = async (options: TestOptions = {}): Promise<TestRein> => {
  const { scenario = acksEverything, config = {}, cli = cliNamed('claude') } = options
  const { onTestFinished: onFinished = onTestFinished } = options
  const root = await mkdtemp(join(tmpdir(), 'rein-e2e-'))
  const [state, cwd, home] = ['rein', 'project', 'home'].map((name) => join(root, name)) as [string, string, string]
  for (const dir of [state, cwd, home]) await mkdir(dir, { mode: 0o700 })
  const sim = await startSim({ scenario })
  await settle(cli, home, sim.url, cwd)
  const path = { [`REIN_${cli.name.toUpperCase()}_PATH`]: options.program ?? programOf(cli) }
  const daemonEnv = testEnv(state, { ...path, ...config })
  const paths = reinPaths({ env: daemonEnv, homedir: home, platform: process.platform, uid: process.getuid?.() ?? 0 })
  const client = createClient({ paths, env: daemonEnv, start: true, script: join(repository, 'dist/daemon.js') })
  onFinished(async () => {
    await endProcessesIn(root)
    await sim.close()
    await rm(root, { recursive: true, force: true, maxRetries: 5 })
  })
  const rein = { cli, sim, client, paths, cwd, home, daemonEnv, onFinished }
  return { ...rein, ...actions(rein) }
}

/** For what has to hold with hooks that wait no longer than where nobody has set anything. */
export const usualDeadline = { REIN_HOOKS_DEADLINE_MS: '' }

/** A loaded machine must not make a hook miss its deadline: what is tested is what arrives, not how fast. */
const testEnv = (state: string, config: Record<string, string>): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: state,
  REIN_HOME: state,
  REIN_HOOKS_DEADLINE_MS: '4000',
  REIN_CHECK_ANSWERS: '1',
  // What is said out of memory, and of going in circles, has tests of its own.
  REIN_MEMORY_ADVISE: 'false',
  REIN_LOOPS_ENABLED: 'false',
  ...config,
})

type Parts = Pick<TestRein, 'cli' | 'sim' | 'client' | 'paths' | 'cwd' | 'home' | 'daemonEnv' | 'onFinished'>

const actions = ({ cli, sim, client, paths, cwd, home, daemonEnv }: Parts): Omit<TestRein, keyof Parts> => ({
  up: (prompt, request = {}, more = {}) =>
    client.up({
      handle: 'worker',
      driver: cli.name,
      host: 'stream',
      request: { cwd, autoApprove: true, ...(prompt === null ? {} : { prompt }), ...request },
      env: envOf(cli, home, sim.url),
      ...more,
    }),
  tell: (text, more = {}) => client.tell({ target: 'worker', cwd, text, from: 'tester', ...more }),
  reached: (id, state) => last(client.follow({ id, until: state })),
  until: async (id, match) => {
    for await (const receipt of client.follow({ id, until: 'closed' })) if (match(receipt)) return receipt
    throw new Error(`${id} was closed before that.`)
  },
  type: async (text) => {
    const [agent] = await client
      .tail({ topic: 'agents', after: 0 })
      .next()
      .then(({ value }) => [value as AnyRecord])
    const pipe = await open(join(paths.state, 'agents', agent?.agent ?? '', 'stdin.fifo'), constants.O_WRONLY)
    await pipe.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`)
    await pipe.close()
  },
  rein: (...args) => runRein(args, cwd, daemonEnv),
  record: async (topic, match) => {
    for await (const record of client.tail({ topic, after: 0, follow: true })) if (match(record)) return record
    throw new Error(`Topic ${topic} ended.`)
  },
  killDaemon: async () => {
    const { pid } = await client.status()
    killProcess(pid)
    await gone(pid)
  },
})

const last = async <T>(items: AsyncIterable<T>): Promise<T> => {
  let found: T | undefined
  for await (const item of items) found = item
  if (found === undefined) throw new Error('Nothing came.')
  return found
}

const runRein = async (args: string[], cwd: string, env: Record<string, string>) => {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [reinBin, ...args], { cwd, env })
    return { code: 0, stdout, stderr }
  } catch (cause) {
    const { code = -1, stdout = '', stderr = '' } = cause as { code?: number; stdout?: string; stderr?: string }
    return { code, stdout, stderr }
  }
}

/** A process that is dead may hold its socket until it is buried. */
export const gone = async (pid: number): Promise<void> => {
  await lookUntil(
    () => existsSync(`/proc/${pid}`),
    (isThere) => !isThere,
  )
}

export const statesOf = (receipt: Receipt): ReceiptState[] => receipt.steps.map((step) => step.state)

/** How often a directive's closing line stands in what the model received. */
export const shownIn = (request: SimRequest | undefined, id: string): number =>
  unescaped(request?.text ?? '').split(new RegExp(`</rein-(?:directive|message) id="${id}"`)).length - 1

const unescaped = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&quot;', '"')
