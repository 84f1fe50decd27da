import { closeSync, constants, writeSync } from 'node:fs'
import { ReinError } from '../../../contract/errors.ts'
import { type FifoFile, listFifos, openFifo, type UnusedFifo } from './files.ts'
import { formatLine, maxLineBytes } from './line.ts'

interface Output {
  ino: number
  fd: number
}

/**
 * The FIFOs `out.<channel>` of a directory. A write arrives whole or not at all, and never waits for a reader.
 * Each stays open after its first line: its reader meets no end after every line, and one that comes back finds what it had not read.
 */
export class FifoOutputs {
  readonly #dir: string
  readonly #open = new Map<string, Output>()

  constructor(dir: string) {
    this.#dir = dir
  }

  /** The channels that have one now, read or not. */
  names(): string[] {
    return this.#list().flatMap(({ channel, problem }) => (problem === null ? [channel] : []))
  }

  /** Files that have the name of one and cannot be used. */
  unused(): UnusedFifo[] {
    return this.#list().flatMap(({ file, problem }) =>
      problem === null ? [] : [{ file, reason: problem, refused: 0 }],
    )
  }

  has(channel: string): boolean {
    return this.names().includes(channel)
  }

  /** Writes one line for the readers: the plain text, or `{"content": …}` if the text has several lines. */
  write(channel: string, text: string): void {
    const line = Buffer.from(`${formatLine(text)}\n`)
    if (line.length > maxLineBytes)
      throw new ReinError(
        'text_too_large',
        `Channel ${channel} takes lines of up to ${maxLineBytes} bytes, and this one has ${line.length}.`,
        'Send it in shorter parts.',
      )
    const fifo = this.#find(channel)
    try {
      const fd = this.#open.get(fifo.channel)?.fd ?? openFifo(fifo, constants.O_WRONLY)
      this.#open.set(fifo.channel, { ino: fifo.ino, fd })
      writeSync(fd, line)
    } catch (cause) {
      throw failure(fifo, cause)
    }
  }

  close(): void {
    for (const channel of this.#open.keys()) this.#release(channel)
  }

  #find(channel: string): FifoFile {
    const found = this.#list().find((one) => one.channel === channel)
    if (found === undefined) {
      const names = this.names()
      const others = names.length === 0 ? 'There is none now.' : `There are: ${names.join(', ')}.`
      throw new ReinError('not_found', `Nothing takes what is sent to channel ${JSON.stringify(channel)}. ${others}`)
    }
    if (found.problem !== null) throw new ReinError('refused', `Channel ${channel} cannot be used: ${found.problem}`)
    return found
  }

  /** On the way those that are no longer there are closed. */
  #list(): FifoFile[] {
    const found = listFifos(this.#dir, 'out')
    const inos = new Map(found.map(({ channel, ino }) => [channel, ino]))
    for (const [channel, { ino }] of this.#open) if (inos.get(channel) !== ino) this.#release(channel)
    return found
  }

  #release(channel: string): void {
    const output = this.#open.get(channel)
    this.#open.delete(channel)
    if (output !== undefined) closeSync(output.fd)
  }
}

const failure = ({ channel, file }: FifoFile, cause: unknown): unknown => {
  const { code } = cause as NodeJS.ErrnoException
  if (code === 'ENXIO' || code === 'EPIPE')
    return new ReinError(
      'not_running',
      `Nobody reads ${file} now: the program behind channel ${channel} is not running.`,
      'Nothing was sent. Try again later, or use another channel.',
    )
  if (code === 'EAGAIN')
    return new ReinError(
      'refused',
      `${file} is full: the program behind channel ${channel} does not read it.`,
      'Nothing was sent. Try again later, or use another channel.',
    )
  return cause
}
