import { spawn } from 'node:child_process'
import type { z } from 'zod'
import type { ExternalMatcher } from '../../../contract/rule.ts'
import { millisecondsOf } from '../duration.ts'
import type { Check, Doubt } from './answer.ts'
import { tooLong, unknownText } from './regex.ts'

const timeoutMs = 2000
const outputMax = 16 * 1024

interface Ended {
  /** Null: it could not be started, was killed or came too late. */
  code: number | null
  output: string
}

/** The variables that a program needs to run; all others of the daemon are withheld. */
const variables = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR']

/** Runs without a shell, in a process group of its own that is gone afterwards. */
const runExternal = (command: readonly string[], text: string, cwd: string, deadlineMs: number): Promise<Ended> =>
  new Promise((resolve) => {
    const [program = '', ...args] = command
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => variables.includes(name)))
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
    let output = ''
    const end = (code: number | null): void => {
      clearTimeout(timer)
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
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
    if (code === 0) return null
    const status = code === null ? 'no exit' : String(code)
    return { kind: 'fit', captures: { command: command.join(' '), status, output: output.trim() }, places: [] }
  }
}

/** For what its file may not run or load before a person has trusted it. */
export const untrustedCheck =
  (file: string): Check =>
  (): Doubt => ({
    kind: 'doubt',
    why: `the rule runs what ${file} names, and nobody has trusted that file`,
    advice: 'A person can look at it and run: rein rules trust',
    isClosed: true,
  })
