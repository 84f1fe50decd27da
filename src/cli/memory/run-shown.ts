import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { quoted } from '../../base/util/shell.ts'
import { OutputEnd } from '../output-end.ts'

export interface Shown {
  command: string
  /** As a shell tells it: 127 if there is no such program, 126 if it may not be run, 128 and the signal if one ended it. */
  exit: number
  output: string
  /** A person ended it. */
  isStopped: boolean
}

const complaints: Record<string, { exit: number; words: string }> = {
  ENOENT: { exit: 127, words: 'command not found' },
  EACCES: { exit: 126, words: 'Permission denied' },
}
/** It is the program that is to end when a person wants that; it got the signal, too. */
const wait = (): void => undefined

const isPlain = (word: string): boolean => /^[\w@%+=:,./-]+$/.test(word)
const asTyped = (words: string[]): string => words.map((word) => (isPlain(word) ? word : quoted(word))).join(' ')

/** Runs a program in front of the user, and keeps how its output ends. A single word with blanks in it is for a shell. */
export const runShown = (
  words: string[],
  stdout: NodeJS.WritableStream,
  stderr: NodeJS.WritableStream,
): Promise<Shown> => {
  const [program = '', ...args] = words
  const isLine = args.length === 0 && /\s/.test(program)
  const command = isLine ? program : asTyped(words)
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
      const { exit, words: complaint } = complaintOf(error)
      const output = `${program}: ${complaint}`
      stderr.write(`${output}\n`)
      resolve({ command, exit, output, isStopped: false })
    })
    child.once('close', (code, signal) =>
      resolve({
        command,
        exit: exitOf(code, signal),
        output: end.text(),
        isStopped: signal === 'SIGINT' || code === 130,
      }),
    )
  }).finally(() => process.off('SIGINT', wait))
}

const complaintOf = (error: Error): { exit: number; words: string } =>
  complaints['code' in error ? String(error.code) : ''] ?? { exit: 127, words: error.message }

const exitOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal])
