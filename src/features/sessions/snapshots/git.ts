import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { codeOf, SnapshotError, storageFull } from './errors.ts'

export type Env = Record<string, string | undefined>

interface GitOptions {
  env?: Env
  input?: Buffer
  signal?: AbortSignal | undefined
  /** Exit codes that are an answer, besides 0. */
  answers?: readonly number[]
}

interface GitAnswer {
  code: number
  stdout: Buffer
  stderr: string
}

/** Runs git in one place, asynchronously and without a limit on its output. */
export type Git = (args: readonly string[], options?: GitOptions) => Promise<GitAnswer>

/** A git that failed: its exit code, or the signal that ended it. */
export class GitFailure extends SnapshotError {
  constructor(args: readonly string[], ended: number | NodeJS.Signals, stderr: string) {
    const command = args[args[0] === '-c' ? 2 : 0]
    super('git_failed', `git ${command} ended with ${ended}: ${stderr.trim().slice(0, 500) || 'without a word'}`)
    this.name = 'GitFailure'
  }
}

/** The environment without anything that points git elsewhere or translates its messages. */
export const gitEnv = (env: Env, own: Env): Env => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_'))),
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_LITERAL_PATHSPECS: '1',
  ...own,
})

export interface GitPlace {
  cwd: string
  env: Env
  /** Options before every command. */
  options?: readonly string[]
  umask?: number
  /** The most memory (KiB) and processor time (s). */
  bounds?: { kib: number; seconds: number }
}

export const createGit =
  (place: GitPlace): Git =>
  async (args, { env = {}, input, signal, answers = [] } = {}) => {
    throwIfAborted(signal)
    const { cwd, umask, bounds, options = [] } = place
    const limits = [
      ...(umask === undefined ? [] : [`umask ${umask.toString(8)}`]),
      ...(bounds === undefined ? [] : [`ulimit -v ${bounds.kib}`, `ulimit -t ${bounds.seconds}`]),
    ]
    // A process inherits umask and limits from its parent, so a shell sets them.
    const [program, first] =
      limits.length === 0 ? ['git', []] : ['sh', ['-c', [...limits, 'exec git "$@"'].join(' && '), 'sh']]
    const child = spawn(program, [...first, ...options, ...args], { cwd, env: { ...place.env, ...env } })
    const stop = (): void => void child.kill()
    signal?.addEventListener('abort', stop)
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
    // A git that has ended takes no more input; its exit code says why.
    child.stdin.on('error', () => undefined).end(input)
    try {
      const [code, name] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
      throwIfAborted(signal)
      const told = Buffer.concat(stderr).toString()
      if (code === 0 || (code !== null && answers.includes(code)))
        return { code, stdout: Buffer.concat(stdout), stderr: told }
      if (/No space left on device|Disk quota exceeded|File too large/.test(told) || name === 'SIGXFSZ')
        throw storageFull(cwd)
      throw new GitFailure(args, code ?? name ?? 'SIGKILL', told)
    } catch (cause) {
      if (codeOf(cause) !== 'ENOENT') throw cause
      throw existsSync(cwd)
        ? new SnapshotError('git_missing', 'There is no git to be found. Snapshots need it: install git.')
        : new SnapshotError('git_failed', `The directory ${cwd} is gone.`)
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

export const throwIfAborted = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted === true) throw new SnapshotError('aborted', 'It was called off; no file was changed.')
}

const collect = (stream: Readable): Buffer[] => {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return chunks
}

/** Splits the output of `git … -z`. */
export const splitNul = (output: Buffer): Buffer[] => {
  const parts: Buffer[] = []
  for (let from = 0; from < output.length; ) {
    const end = output.indexOf(0, from)
    const to = end < 0 ? output.length : end
    parts.push(output.subarray(from, to))
    from = to + 1
  }
  return parts
}

export const joinNul = (parts: readonly Buffer[]): Buffer =>
  Buffer.concat(parts.flatMap((part) => [part, Buffer.of(0)]))
