import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import type { AgentView } from '../../src/contract/routes/agents.ts'
import { agentToken } from '../../src/agents/identity/tokens.ts'
import { openDatabase, type Row } from '../../src/base/store/sqlite.ts'
import { parseObject } from '../../src/base/util/json.ts'
import { type ReinPaths, reinPaths } from '../../src/base/util/paths.ts'
import { processStartTime } from '../../src/base/util/process.ts'
import { endProcess } from '../support/kill.ts'

export const repository = join(import.meta.dirname, '../..')
const program = join(repository, 'bin/rein.cjs')
export const daemonScript = join(repository, 'dist/daemon.js')

/** Says its version, is idle at once, and takes whatever it is given. */
const fakeClaude = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
echo '{"type":"result","subtype":"success"}'
exec cat >/dev/null
`

export type Env = Record<string, string>

export interface Result {
  code: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  stdin?: string | Buffer
  env?: Env
  cwd?: string
  /** A command that runs the program, like `setpriv …`. */
  through?: string[]
}

/** A daemon whose process is ours to watch and to end. */
export interface OwnDaemon {
  child: ChildProcess
  pid: number
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | string>
  kill(): Promise<void>
}

export interface Box {
  root: string
  /** A directory to work in: the project of every agent that names no other. */
  cwd: string
  env: Env
  paths: ReinPaths
  client(more?: { env?: Env; start?: boolean; timeoutMs?: number }): Client
  /** The command line as a user types it. */
  rein(args: string[], options?: RunOptions): Promise<Result>
  /** Starts the daemon as our own child and waits for its first word. */
  daemon(options?: { env?: Env; through?: string[]; script?: string }): Promise<OwnDaemon>
  /** An agent that runs and does nothing: it is told things, and never takes them in. */
  runningAgent(handle?: string, cwd?: string): Promise<AgentView>
  /** An agent that was started and stopped: it keeps what it is told. */
  stoppedAgent(handle?: string, cwd?: string): Promise<AgentView>
  /** The daemon that is registered and lives; null if none does. */
  registered(): { id: string; pid: number; port: number } | null
  log(): Record<string, unknown>[]
}

/** A home of its own for Rein, in which nothing exists yet; whatever was started from it ends with the test. */
export const createBox = (config: Env = {}, atTheEnd: (clean: () => void) => void = onTestFinished): Box => {
  const root = mkdtempSync(join(tmpdir(), 'rein-box-'))
  const [cwd, home, claude] = ['project', 'home', 'claude'].map((name) => join(root, name)) as [string, string, string]
  for (const dir of [cwd, home]) mkdirSync(dir)
  writeFileSync(claude, fakeClaude, { mode: 0o755 })
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    USER: 'tester',
    REIN_HOME: join(root, 'rein'),
    REIN_CLAUDE_PATH: claude,
    REIN_CHECK_ANSWERS: '1',
    ...config,
  }
  const paths = reinPaths({ env, homedir: home, platform: process.platform, uid: process.getuid?.() ?? 0 })
  const box = { root, cwd, env, paths }
  atTheEnd(() => {
    for (const pid of processesOf(root)) endProcess(pid)
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  })
  return { ...box, ...actions(box) }
}

type Parts = Pick<Box, 'root' | 'cwd' | 'env' | 'paths'>

const actions = ({ cwd, env, paths }: Parts): Omit<Box, keyof Parts> => {
  const client: Box['client'] = ({ env: more = {}, start = true, timeoutMs } = {}) =>
    createClient({ paths, env: { ...env, ...more }, start, timeoutMs, script: daemonScript })
  const runningAgent: Box['runningAgent'] = (handle = 'worker', where = cwd) => {
    const request = { cwd: where, env: {}, args: [] }
    return client().up({ handle, driver: 'claude', host: 'stream', request, env })
  }
  return {
    client,
    rein: (args, options = {}) =>
      run([process.execPath, program, ...args], { cwd, ...options, env: { ...env, ...options.env } }),
    daemon: (options = {}) =>
      startDaemon({ ...env, ...options.env }, options.script ?? daemonScript, options.through ?? []),
    runningAgent,
    stoppedAgent: async (handle = 'worker', where = cwd) => {
      await runningAgent(handle, where)
      return client().down({ target: handle, cwd: where })
    },
    registered: () => readRegistered(paths),
    log: () => readLog(paths.log),
  }
}

export const run = async (
  command: string[],
  { stdin = '', env = {}, cwd, through = [] }: RunOptions,
): Promise<Result> => {
  const [file = '', ...args] = [...through, ...command]
  const child = spawn(file, args, { env, cwd })
  child.stdin.on('error', () => undefined)
  child.stdin.end(stdin)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: (code as number | null) ?? -1, stdout, stderr }
}

const startDaemon = async (env: Env, script: string, through: string[]): Promise<OwnDaemon> => {
  const command = [...through, process.execPath, script]
  const child = spawn(command[0] ?? '', command.slice(1), {
    env,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  const said = await Promise.race([firstWords(child.stdio[3] as Readable), ended])
  if (said !== 'ready') throw new Error(`The daemon says: ${said} ${await text(child.stderr as Readable)}`)
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  return { child, pid: child.pid ?? 0, ended, kill }
}

const firstWords = async (pipe: Readable): Promise<string> => {
  const [chunk] = (await once(pipe, 'data')) as [Buffer]
  return chunk.toString().trim()
}

/** Whatever inherited a place in this box by its environment, if only its home. */
const processesOf = (root: string): number[] => {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => environOf(pid).includes(`=${root}/`)).map(Number)
}

const environOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}

/** Resolves when it is so. For what tells nobody: it asks seldom, because what is waited for needs the processor. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await setTimeout(25)
}

/** Resolves when there is no such process any more. */
export const gone = (pid: number): Promise<void> => until(() => processStartTime(pid) === null)

const readRegistered = (paths: ReinPaths): ReturnType<Box['registered']> => {
  const value = existsSync(paths.registration) ? parseObject(readFileSync(paths.registration, 'utf8')) : null
  const { id, pid, port, startTime } = value ?? {}
  const isAlive = typeof pid === 'number' && processStartTime(pid) === startTime
  return isAlive ? { id: String(id), pid, port: Number(port) } : null
}

/** Every line of the log file, which has to be JSON. */
const readLog = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** Asks the database file directly, as an auditor would. */
export const select = (paths: ReinPaths, sql: string, ...values: string[]): Row[] => {
  const db = openDatabase(paths.database, { readOnly: true })
  try {
    return db.prepare(sql).all(...values)
  } finally {
    db.close()
  }
}

/** The token of the launch in which this agent runs, of whatever project or of this one. */
export const agentTokenOf = (paths: ReinPaths, handle = '%', project = '%'): string => {
  const [row] = select(paths, 'SELECT agent FROM agent WHERE handle LIKE ? AND project LIKE ?', handle, project)
  const { id, launch } = JSON.parse(String(row?.['agent'])) as { id: string; launch: number | null }
  const { secret } = JSON.parse(readFileSync(paths.endpoint, 'utf8')) as { secret: string }
  return agentToken(secret, id, launch)
}

/** The environment in which the CLI acts as this agent, which has to run. */
export const actingAs = (box: Pick<Box, 'paths'>, handle: string, project?: string): Env => ({
  REIN_TOKEN: agentTokenOf(box.paths, handle, project),
  REIN_SOCKET: box.paths.socket,
})

/** The ids of all accepted directives, in the order of the log. */
export const acceptedIds = (paths: ReinPaths): string[] =>
  select(paths, "SELECT id FROM record WHERE type = 'directive.accepted' ORDER BY seq").map(({ id }) => String(id))
