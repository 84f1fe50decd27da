import { join } from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import { onTestFinished } from 'vitest'

const bin = join(import.meta.dirname, '../../bin/rein.cjs')

/** Somebody at a terminal of their own, in which `rein` runs. */
export interface Person {
  pty: IPty
  /** Everything that came on the terminal so far. */
  output: () => string
  /** Resolves when it shows this. */
  shows: (text: string | RegExp) => Promise<void>
  type: (text: string) => void
  /** How the command ended. */
  ended: Promise<{ code: number; output: string }>
}

export const personAt = (
  args: string[],
  { cwd, env, columns = 100, rows = 30 }: { cwd: string; env: Record<string, string>; columns?: number; rows?: number },
): Person => {
  const pty = spawn(process.execPath, [bin, ...args], { name: 'xterm-256color', cols: columns, rows, cwd, env })
  let output = ''
  const waiting = new Set<() => void>()
  pty.onData((text) => {
    output += text
    for (const look of waiting) look()
  })
  const ended = new Promise<{ code: number; output: string }>((resolve) =>
    pty.onExit(({ exitCode }) => resolve({ code: exitCode, output })),
  )
  onTestFinished(() => pty.kill('SIGKILL'))
  const isShown = (text: string | RegExp): boolean =>
    typeof text === 'string' ? output.includes(text) : text.test(output)
  const shows = (text: string | RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!isShown(text)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
      void ended.then(() =>
        isShown(text) ? resolve() : reject(new Error(`It ended without ${String(text)}: ${output}`)),
      )
    })
  return { pty, output: () => output, shows, type: (text) => pty.write(text), ended }
}
