import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { OutputEnd } from '../output-end.ts'
import type { Check } from './decide.ts'

/** As much of its output as says what is wrong. */
const shownCharacters = 4000

/** Runs the command of `--until` in a shell; it ends with the signal. */
export const runCheck = (command: string, cwd: string, signal: AbortSignal): Promise<Check> =>
  new Promise((resolve, reject) => {
    // A group of its own, so that it ends with all that it has started.
    const child = spawn('/bin/sh', ['-c', command], { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const end = new OutputEnd()
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => end.push(chunk))
    const kill = (): void => void (child.pid !== undefined && process.kill(-child.pid, 'SIGTERM'))
    signal.addEventListener('abort', kill, { once: true })
    child.once('error', reject)
    child.once('close', (code, by) => {
      signal.removeEventListener('abort', kill)
      resolve({ code: code ?? 128 + constants.signals[by ?? 'SIGTERM'], output: end.text().slice(-shownCharacters) })
    })
  })
