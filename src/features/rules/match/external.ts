import { spawn } from 'node:child_process'
import type { z } from 'zod'
import type { ExternalMatcher } from '../../../contract/rule.ts'
import { millisecondsOf } from '../duration.ts'
import type { Check, Doubt, Fit } from './answer.ts'
import { tooLong, unknownText } from './regex.ts'

const timeoutMs = 2000
const outputMax = 16 * 1024

interface Ended {
  /** Null: it could not be started, was killed or came too late. */
  code: number | null
  output: string
}

/** The variables that a program needs to run; all others of the daemon are withheld. */
const environment = (): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR'].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

const killGroup = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** Runs without a shell, in a process group of its own that is gone afterwards. */
const runExternal = (command: readonly string[], text: string, cwd: string, deadlineMs: number): Promise<Ended> =>
  new Promise((resolve) => {
    const [program = '', ...args] = command
    const child = spawn(program, args, { cwd, env: environment(), detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
    let output = ''
    const end = (code: number | null): void => {
      clearTimeout(timer)
      killGroup(child.pid)
      child.stdout.destroy()
      resolve({ code, output })
    }
    const timer = setTimeout(() => end(null), deadlineMs)
    child.once('error', () => end(null))
    child.once('close', end)
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      output = `${output}${part}`.slice(0, outputMax)
    })
    // It need not read what it gets.
    child.stdin.on('error', () => {}).end(text)
  })

/** Exit 0 is no match; whatever else happens is one. */
export const externalCheck = (options: z.infer<typeof ExternalMatcher>, isGuard: boolean): Check => {
  const { command, timeout, on = null } = options
  const deadlineMs = timeout === undefined ? timeoutMs : millisecondsOf(timeout)
  return async (look) => {
    const text = await look.text(on)
    if (text === null) return null
    if (text.text === null) return unknownText(isGuard, text)
    const long = tooLong(text.text)
    if (long !== null) return long
    const running = runExternal(command, text.text, look.world.root, deadlineMs)
    const { code, output } = await running.catch(() => ({ code: null, output: '' }))
    return code === 0 ? null : fitOf(command, code, output)
  }
}

const fitOf = (command: readonly string[], code: number | null, output: string): Fit => ({
  kind: 'fit',
  captures: { command: command.join(' '), status: code === null ? 'no exit' : String(code), output: output.trim() },
  places: [],
})

/** For what its file may not run or load before a person has trusted it. */
export const untrustedCheck =
  (file: string): Check =>
  (): Doubt => ({
    kind: 'doubt',
    why: `the rule runs what ${file} names, and nobody has trusted that file`,
    advice: 'A person can look at it and run: rein rules trust',
    isClosed: true,
  })
