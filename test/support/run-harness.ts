import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const reinBin = join(import.meta.dirname, '../../bin/rein.cjs')

export interface Running {
  child: ChildProcessWithoutNullStreams
  stdout: () => string
  stderr: () => string
  /** Resolves when both together satisfy `match`. */
  says: (match: RegExp) => Promise<void>
  /** The exit code; null if a signal ended it. */
  ended: Promise<number | null>
}

/** `rein run …` as a person in the project's directory would start it, in a pipe. */
export const startRun = (
  { cwd, env }: { cwd: string; env: Record<string, string> },
  args: string[],
  input = '',
): Running => {
  const child = spawn(process.execPath, [reinBin, 'run', ...args], { cwd, env })
  child.stdin.end(input)
  const said = { stdout: '', stderr: '' }
  const news = new EventEmitter()
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      said[name] += chunk.toString()
      news.emit('news')
    })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    child,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    says: async (match) => {
      while (!match.test(said.stdout + said.stderr)) {
        if (child.exitCode !== null) throw new Error(`It ended: ${said.stdout}${said.stderr}`)
        await Promise.race([once(news, 'news'), ended])
      }
    },
    ended,
  }
}
