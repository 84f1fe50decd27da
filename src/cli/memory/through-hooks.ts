import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { withoutAgent } from '../../client/agent-env.ts'
import { type Client, createClient } from '../../client/client.ts'
import { readText, send } from '../../client/http.ts'
import { ReinError } from '../../contract/errors.ts'
import { groupOf, type HistoryRow } from '../../features/memory/eval/replay.ts'
import { reinPaths } from '../../base/util/paths.ts'

/** More than count, as some are of one shape. */
const suggestions = 20
const joinLimitMs = 10_000
const joinCheckMs = 3
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const quiet = {
  REIN_LOOPS_ENABLED: 'false',
  REIN_SESSIONS_ENABLED: 'false',
  REIN_MEMORY_ADVISE: 'false',
  REIN_MEMORY_EPHEMERAL: 'false',
  REIN_MEMORY_FEED: 'true',
}

interface Predicted {
  session: string
  seq: number
  suggestions: { cmd: string; p: number }[]
}

/**
 * Replays a history as agents and shells would tell it: each agent is a process that calls Claude Code's hooks, each
 * person one whose commands are told one by one. The daemon is one of its own, with nothing in its memory.
 */
export async function* throughHooks(ordered: readonly HistoryRow[]): AsyncGenerator<Predicted> {
  const stopped = new AbortController()
  // The daemon would go on without us: it is ended first, and a second Ctrl-C does not wait for that.
  const stop = (): void => stopped.abort(new ReinError('failed', 'Stopped before the end.'))
  for (const signal of endings) process.once(signal, stop)
  const replay = await Replay.begin()
  try {
    const ends = new Map(ordered.map(({ session }, index) => [session, index]))
    for (const [index, row] of ordered.entries()) {
      stopped.signal.throwIfAborted()
      yield await replay.step(row)
      if (ends.get(row.session) === index) replay.end(row.session)
    }
  } finally {
    await replay.close()
    for (const signal of endings) process.off(signal, stop)
  }
}

interface Session {
  /** The process that stands for an agent; a person has none. */
  process: ChildProcess | null
  cwd: string
}

class Replay {
  readonly #root: string
  readonly #client: Client
  readonly #socket: string
  readonly #sessions = new Map<string, Session>()
  readonly #groups = new Map<string, string>()

  private constructor(root: string, client: Client, socket: string) {
    this.#root = root
    this.#client = client
    this.#socket = socket
  }

  static async begin(): Promise<Replay> {
    const root = mkdtempSync(join(tmpdir(), 'rein-eval-'))
    const home = join(root, 'home')
    const env = { ...withoutAgent(process.env), ...quiet, REIN_HOME: home }
    const paths = reinPaths({ env, homedir: home, platform: process.platform, uid: process.getuid?.() ?? 0 })
    const client = createClient({ paths, env, start: true })
    try {
      await client.status()
    } catch (cause) {
      rmSync(root, { recursive: true, force: true })
      throw cause
    }
    return new Replay(root, client, paths.socket)
  }

  /** Predicts the command before it is reported. */
  async step(row: HistoryRow): Promise<Predicted> {
    const session = this.#sessions.get(row.session) ?? (await this.#open(row))
    if (session.process !== null) await this.#tellTools(row, session)
    // An agent chooses its directory with the command; a person is in it already.
    else session.cwd = this.#directory(row)
    const asked = { cwd: session.cwd, session: row.session, author: row.agent == null ? 'person' : 'claude' }
    const found = await this.#client.suggest({ ...asked, limit: suggestions })
    session.cwd = this.#directory(row)
    await (session.process === null ? this.#tellPerson(row, session) : this.#tellCommand(row, session))
    return {
      session: row.session,
      seq: row.seq,
      suggestions: found.map(({ text, score }) => ({ cmd: text, p: score })),
    }
  }

  end(session: string): void {
    this.#sessions.get(session)?.process?.kill('SIGKILL')
    this.#sessions.delete(session)
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.keys()) this.end(session)
    await this.#client.stop()
    rmSync(this.#root, { recursive: true, force: true })
  }

  async #open(row: HistoryRow): Promise<Session> {
    const cwd = this.#group(row)
    const isAgent = row.agent != null
    const session = {
      process: isAgent ? spawn('sleep', ['infinity'], { argv0: 'claude', stdio: 'ignore' }) : null,
      cwd,
    }
    this.#sessions.set(row.session, session)
    if (isAgent) {
      // The first call of an unknown process only makes it known.
      await this.#hook(row, session, 'SessionStart', { source: 'startup' })
      const deadline = performance.now() + joinLimitMs
      const isThere = async (): Promise<boolean> =>
        (await this.#client.ps({ all: true })).some(({ pid }) => pid === session.process?.pid)
      while (!(await isThere())) {
        if (performance.now() > deadline) throw new ReinError('not_in_time', 'The daemon did not hear of a session.')
        await delay(joinCheckMs)
      }
      await this.#hook(row, session, 'UserPromptSubmit', { prompt: 'Go on.' })
    }
    return session
  }

  #tellTools(row: HistoryRow, session: Session): Promise<unknown> | undefined {
    const files = [...(row.edited ?? [])]
    const calls = (row.since ?? []).map((name, index) => ({
      tool_name: name,
      tool_use_id: `${idOf(row)}-${index}`,
      tool_input: /edit|write|patch/i.test(name) ? { file_path: files.shift() ?? '' } : {},
      tool_response: '',
    }))
    return calls.length === 0 ? undefined : this.#hook(row, session, 'PostToolBatch', { tool_calls: calls })
  }

  #tellCommand(row: HistoryRow, session: Session): Promise<unknown> {
    const call = { tool_name: 'Bash', tool_use_id: idOf(row), tool_input: { command: row.cmd } }
    if (row.exit !== 0 && row.exit != null)
      return this.#hook(row, session, 'PostToolUseFailure', {
        ...call,
        error: `Exit code ${row.exit}\n${row.err ?? ''}`,
      })
    const response = { stdout: '', stderr: '', ...(row.exit == null ? { backgroundTaskId: idOf(row) } : {}) }
    return this.#hook(row, session, 'PostToolUse', { ...call, tool_response: response })
  }

  #tellPerson({ cmd, exit, session }: HistoryRow, { cwd }: Session): Promise<unknown> {
    const command = { command: cmd, cwd, exit: exit ?? null, session, at: Date.now() }
    return this.#client.ingest({ cwd, commands: [command] })
  }

  async #hook(row: HistoryRow, { process: caller, cwd }: Session, native: string, fields: object): Promise<unknown> {
    const path = `/v1/hooks/claude/${native}?pid=${caller?.pid}`
    const body = JSON.stringify({ hook_event_name: native, session_id: row.session, cwd, ...fields })
    const headers = { 'content-type': 'application/json' }
    return readText(await send(this.#socket, { method: 'POST', path, headers, body }))
  }

  /** Each project, or person, has a repository of its own: that is what tells projects apart. */
  #group(row: HistoryRow): string {
    const name = groupOf(row)
    const known = this.#groups.get(name)
    if (known !== undefined) return known
    const dir = join(this.#root, `group-${this.#groups.size}`)
    mkdirSync(dir)
    const git = (...args: string[]): unknown => execFileSync('git', ['-C', dir, ...args], { stdio: 'ignore' })
    git('init', '--quiet')
    git('-c', 'user.name=rein', '-c', 'user.email=rein@localhost', 'commit', '--quiet', '--allow-empty', '-m', dir)
    this.#groups.set(name, dir)
    return dir
  }

  #directory(row: HistoryRow): string {
    const group = this.#group(row)
    const dir = join(group, normalize(`/${row.cwd ?? ''}`))
    mkdirSync(dir, { recursive: true })
    return dir
  }
}

const idOf = ({ session, seq }: HistoryRow): string => `${session}#${seq}`
