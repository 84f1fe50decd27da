import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { OutputEnd } from '../output-end.ts'
import type { Check } from './decide.ts'

/** As much of its output as says what is wrong. */
const shownCharacters = 4000
/** Output is read for a moment after the exit; background processes may keep it open for ever. */
const restMs = 300

/** Runs the command of `--until` in a shell; what it has started ends with it, and it ends with the signal. */
export const runCheck = async (command: string, cwd: string, signal: AbortSignal): Promise<Check> => {
  // A group of its own, so that it ends with all that it has started.
  const child = spawn('/bin/sh', ['-c', command], { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const end = new OutputEnd()
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => end.push(chunk))
  const closed = new Promise((resolve) => child.once('close', resolve))
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    } catch {
      // Nothing of it is left.
    }
  }
  signal.addEventListener('abort', kill, { once: true })
  try {
    const [code, by] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    await Promise.race([closed, delay(restMs, undefined, { ref: false })])
    return { code: code ?? 128 + constants.signals[by ?? 'SIGTERM'], output: end.text().slice(-shownCharacters) }
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
    for (const stream of [child.stdout, child.stderr]) stream.destroy()
  }
}
