import { spawn, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { onTestFinished } from 'vitest'
import { envOf } from '../clis.ts'
import { reinBin, type TestRein } from './harness.ts'

export interface Running {
  child: ChildProcess
  stdout: () => string
  stderr: () => string
  /** Resolves when both together satisfy `match`. */
  says: (match: RegExp) => Promise<void>
  ended: Promise<number | null>
}

/** `rein run …` as a person in the project's directory would start it, in a pipe. */
export const startRun = (rein: TestRein, args: string[], input = ''): Running => {
  const env = { ...rein.daemonEnv, ...envOf(rein.cli, rein.home, rein.sim.url) }
  const child = spawn(process.execPath, [reinBin, 'run', ...args], { cwd: rein.cwd, env })
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
