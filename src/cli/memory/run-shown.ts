import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { quoted } from '../../base/util/shell.ts'
import { OutputEnd } from '../output-end.ts'

export interface Shown {
  command: string
  /** As a shell reports it: 127 for no such program, 126 for one that may not run, 128 + the signal that ended it. */
  exit: number
  output: string
  /** A person ended it. */
  isStopped: boolean
}

const complaints: Record<string, { exit: number; words: string }> = {
  ENOENT: { exit: 127, words: 'command not found' },
  EACCES: { exit: 126, words: 'Permission denied' },
}
/** Ctrl-C is for the program, which gets the signal as well. */
const wait = (): void => undefined

/** Runs a program in the user's terminal and keeps the end of its output. A single word with blanks goes to a shell. */
export const runShown = (
  words: string[],
  stdout: NodeJS.WritableStream,
  stderr: NodeJS.WritableStream,
): Promise<Shown> => {
  const [program = '', ...args] = words
  const isLine = args.length === 0 && /\s/.test(program)
  const command = isLine
    ? program
    : words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word))).join(' ')
  const end = new OutputEnd()
  const child = isLine
    ? spawn('sh', ['-c', program], { stdio: ['inherit', 'pipe', 'pipe'] })
    : spawn(program, args, { stdio: ['inherit', 'pipe', 'pipe'] })
  for (const [from, to] of [
    [child.stdout, stdout],
    [child.stderr, stderr],
  ] as const)
    from.on('data', (chunk: Buffer) => {
      end.push(chunk)
      to.write(chunk)
    })
  process.on('SIGINT', wait)
  return new Promise<Shown>((resolve) => {
    child.once('error', (error) => {
      const { exit, words: complaint } = complaints['code' in error ? String(error.code) : ''] ?? {
        exit: 127,
        words: error.message,
      }
      const output = `${program}: ${complaint}`
      stderr.write(`${output}\n`)
      resolve({ command, exit, output, isStopped: false })
    })
    child.once('close', (code, signal) =>
      resolve({
        command,
        exit: code ?? 128 + (signal === null ? 0 : constants.signals[signal]),
        output: end.text(),
        isStopped: signal === 'SIGINT' || code === 130,
      }),
    )
  }).finally(() => process.off('SIGINT', wait))
}
