import { spawnSync } from 'node:child_process'
import type { ReadStream, WriteStream } from 'node:tty'

/** What programs switch on in a terminal: mouse, pastes and focus in brackets, keypad, other keys, another screen, no cursor. */
const asBefore =
  '\u001b[?9l\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l\u001b[?2004l\u001b[?1004l\u001b[?2026l' +
  '\u001b[?1l\u001b>\u001b[<u\u001b[>4m\u001b[?1049l\u001b[?25h\u001b[?7h\u001b[r\u001b[m\u001b[999;1H\r\n'
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** This terminal is another program's from now on; it is given back by what is returned, or by whatever ends the process. */
export const handOver = (stdin: ReadStream, stdout: WriteStream): (() => void) => {
  const makeCooked = makeRaw(stdin)
  const giveBack = (): void => {
    process.off('exit', giveBack)
    for (const signal of endings) process.off(signal, onSignal)
    makeCooked()
    if (stdout.isTTY) stdout.write(asBefore)
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    // Another listener of the signal decides what it does.
    if (process.listenerCount(signal) > 1) return
    giveBack()
    process.kill(process.pid, signal)
  }
  process.on('exit', giveBack)
  for (const signal of endings) process.on(signal, onSignal)
  return giveBack
}

/** Nothing is changed on the way, in either direction: Node's own raw mode still adds carriage returns. */
const makeRaw = (stdin: ReadStream): (() => void) => {
  if (!stdin.isTTY) return () => undefined
  const before = stty('-g')
  stty('raw', '-echo')
  return () => void stty(before)
}

const stty = (...args: string[]): string =>
  spawnSync('stty', args, { stdio: ['inherit', 'pipe', 'ignore'], encoding: 'utf8' }).stdout.trim()
