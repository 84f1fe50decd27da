import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { Terminal } from '@xterm/headless'
import { onTestFailed, onTestFinished } from 'vitest'

const program = join(import.meta.dirname, '../../bin/rein.cjs')

/** A command on a terminal, as a person sees it. */
export interface ScreenOf {
  /** Resolves with the lines once they are as wanted. */
  until(wanted: (lines: string[]) => boolean): Promise<string[]>
  press(keys: string): void
  resize(columns: number, rows: number): void
  isAlternate(): boolean
  /** All that was printed line by line: with what has scrolled away, and long lines in one piece. */
  text(): string
  /** Everything that came on the terminal so far, as it came. */
  output(): string
  /** The exit code. */
  ended: Promise<number>
  signal(name: string): void
}

interface Options {
  cwd: string
  env: Record<string, string>
  columns?: number
  rows?: number
}

/** Runs a command of Rein after a line of output of the shell's, in a terminal of its own. */
export const onScreen = (args: string[], options: Options): ScreenOf =>
  shellOnScreen(['-c', 'echo before; exec "$@"', 'sh', process.execPath, program, ...args], options)

/** Runs a shell with these arguments in a terminal of its own. */
export const shellOnScreen = (shell: string[], { cwd, env, columns = 120, rows = 24 }: Options): ScreenOf => {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true })
  const pty = spawn('sh', shell, { name: 'xterm-256color', cols: columns, rows, cwd, env })
  const news = new EventEmitter()
  let output = ''
  pty.onData((data) => {
    output += data
    terminal.write(data, () => news.emit('news'))
  })
  // What a program asks its terminal.
  terminal.onData((reply) => pty.write(reply))
  // The terminal takes in what it was given later than the program ends.
  const ended = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode }) => terminal.write('', () => resolve(exitCode))),
  )
  onTestFinished(() => pty.kill('SIGKILL'))
  const lines = (): string[] =>
    Array.from({ length: terminal.rows }, (_, row) => {
      const { active } = terminal.buffer
      return (
        active
          .getLine(active.baseY + row)
          ?.translateToString(true)
          .trimEnd() ?? ''
      )
    })
  // Whoever waited in vain sees what was there instead.
  onTestFailed(() => console.log(lines().join('\n')))
  return {
    until: async (wanted) => {
      while (!wanted(lines())) await once(news, 'news')
      return lines()
    },
    press: (keys) => pty.write(keys),
    resize: (toColumns, toRows) => {
      terminal.resize(toColumns, toRows)
      pty.resize(toColumns, toRows)
    },
    text: () => printedLines(terminal).join('\n'),
    output: () => output,
    isAlternate: () => terminal.buffer.active.type === 'alternate',
    ended,
    signal: (name) => pty.kill(name),
  }
}

const printedLines = ({ buffer: { normal } }: Terminal): string[] => {
  const rows = Array.from({ length: normal.length }, (_, row) => normal.getLine(row))
  return rows.reduce<string[]>((lines, row) => {
    const text = row?.translateToString(true) ?? ''
    if (row?.isWrapped !== true) return [...lines, text]
    return [...lines.slice(0, -1), `${lines.at(-1) ?? ''}${text}`]
  }, [])
}
