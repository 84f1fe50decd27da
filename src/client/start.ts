import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Readable } from 'node:stream'
import { asReinError, ReinError } from '../contract/errors.ts'
import { parseObject, textOf } from '../base/util/json.ts'
import { LineSplitter } from '../base/util/line-splitter.ts'
import { type Env, withoutAgent } from './agent-env.ts'

/** A daemon that fails says so or ends: only one that hangs takes this long, also on a machine with other work to do. */
const startLimitMs = 60_000
/** The build puts both into the same directory. */
export const daemonScript = (): string => fileURLToPath(new URL('./daemon.js', import.meta.url))

/** Starts a daemon that outlives us and waits for the one line in which it says how that went. */
export const startDaemon = async (env: Env, script: string): Promise<void> => {
  // Loaded only now: most commands find a daemon.
  const { spawn } = await import('node:child_process')
  const child = spawn(process.execPath, [script], {
    detached: true,
    cwd: '/',
    env: withoutAgent(env),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const report = child.stdio[3] as Readable
  try {
    const line = await firstLine(child, report)
    if (line !== 'ready') throw startFailure(line)
  } catch (cause) {
    const { message, hint = seeItStart } = asReinError(cause)
    throw new ReinError('unavailable', `The daemon could not start: ${message}`, hint)
  } finally {
    report.destroy()
    child.unref()
  }
}

const seeItStart = 'Watch it start: rein daemon start --foreground'

/** The daemon says what is wrong, and mostly what to do. */
const startFailure = (line: string): ReinError => {
  const text = line.replace(/^error /, '')
  const said = parseObject(text)
  return new ReinError('unavailable', textOf(said?.message) ?? text, textOf(said?.hint) ?? undefined)
}

const firstLine = (child: ChildProcess, report: Readable): Promise<string> =>
  new Promise((resolve, reject) => {
    const splitter = new LineSplitter()
    const late = setTimeout(() => reject(new Error(`it was not ready within ${startLimitMs / 1000} s.`)), startLimitMs)
    report.on('data', (chunk: Buffer) => {
      const [line] = splitter.push(chunk)
      if (line !== undefined) resolve(line)
    })
    child.on('error', reject)
    child.on('close', (code, signal) =>
      reject(new Error(`it ended before it was ready (${signal ?? `exit ${code}`}).`)),
    )
    report.on('close', () => clearTimeout(late))
  })
