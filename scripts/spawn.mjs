// Child processes of the scripts. Nothing but Node itself: this runs before npm packages are installed.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const ignore = () => {}
const exitCode = (code, signal) => code ?? 128 + constants.signals[signal]

/** Runs a command on our terminal and returns its exit code; it decides itself what a Ctrl-C means. */
export function run(command, args, options = {}) {
  const child = spawn(command, args, { stdio: 'inherit', ...options })
  const forward = (signal) => child.kill(signal)
  process.on('SIGINT', ignore).on('SIGTERM', forward)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(exitCode(code, signal)))
  }).finally(() => process.off('SIGINT', ignore).off('SIGTERM', forward))
}

/** Runs a command silently and returns its exit code and all that it printed. */
export function capture(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  const printed = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({ code: exitCode(code, signal), output: Buffer.concat(printed).toString() }),
    )
  })
}
