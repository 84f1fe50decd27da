import { connect, type Socket } from 'node:net'
import type { ReadStream, WriteStream } from 'node:tty'
import { ReinError } from '../../../contract/errors.ts'
import type { KeeperMessage, KeeperRequest, Size } from '../../../contract/keeper.ts'
import { bytesFrame, type Frame, FrameReader, messageFrame } from '../../../base/util/frames.ts'
import { pad } from '../../cells.ts'
import { DetachKeys } from './detach.ts'
import { handOver } from './raw-terminal.ts'
import { StatusRow } from './status-row.ts'

interface ViewOf {
  socket: string
  agent: string
}

interface ViewOptions {
  /** The agent ends with this view, which cannot be left otherwise. */
  isOwner: boolean
  /** What is shown, for the line that says how to leave; an owner cannot, and has none. */
  name?: string
  signal?: AbortSignal
}

/** How a view ended: the person detached, the program exited, or the caller aborted. */
export type ViewEnd = { kind: 'detached' } | { kind: 'exit'; code: number } | { kind: 'aborted' }

/** Shows the terminal of a `pty` agent in this one until the person leaves it or the agent ends. */
export const view = async (of: ViewOf, { isOwner, name, signal }: ViewOptions): Promise<ViewEnd> => {
  const { stdin, stdout } = process
  const hint = (columns: number): string => pad(` ${name} · Ctrl-q leaves it running`, columns)
  const row = name === undefined || !stdout.isTTY ? null : new StatusRow(sizeOf(stdout), hint)
  const socket = await new Promise<Socket>((resolve, reject) => {
    const reached = connect(of.socket, () => resolve(reached))
    reached.on('error', () => reject(gone()))
  })
  const send = (request: KeeperRequest): void => void socket.write(messageFrame({ id: 0, ...request }))
  const resize = (): void => {
    if (row !== null) stdout.write(row.resize(sizeOf(stdout)), 'latin1')
    send({ op: 'resize', size: row?.room ?? sizeOf(stdout) })
  }
  const giveBack = handOver(stdin, stdout)
  try {
    stdout.on('resize', resize)
    if (row !== null) stdout.write(row.resize(sizeOf(stdout)), 'latin1')
    send({ op: 'attach', agent: of.agent, size: row?.room ?? sizeOf(stdout), isOwner })
    return await Promise.race([shown(socket, stdout, row), left(socket, stdin, isOwner), aborted(signal)])
  } finally {
    stdout.off('resize', resize)
    stdin.removeAllListeners('data').pause()
    socket.destroy()
    if (row !== null) stdout.write(row.clear(), 'latin1')
    giveBack()
  }
}

const gone = (): ReinError => new ReinError('not_running', 'Its terminal is gone.', 'See: rein ps')

const sizeOf = ({ columns, rows }: WriteStream): Size => ({ columns: columns || 80, rows: rows || 24 })

/** Everything the program writes goes to this terminal as it is, but for the row that is kept from it. */
const shown = (socket: Socket, stdout: WriteStream, row: StatusRow | null): Promise<ViewEnd> =>
  new Promise((resolve, reject) => {
    const reader = new FrameReader()
    const take = (frame: Frame): void => {
      if (frame.kind === 'bytes') return void stdout.write(row?.pass(frame.bytes) ?? frame.bytes)
      const message = frame.value as KeeperMessage
      if ('error' in message) reject(new ReinError('not_running', message.error))
      if ('event' in message && message.event === 'exit') resolve({ kind: 'exit', code: message.code })
    }
    socket.on('data', (chunk: Buffer) => {
      try {
        reader.push(chunk).forEach(take)
      } catch (cause) {
        reject(cause)
      }
    })
    socket.on('close', () => reject(gone()))
  })

const left = (socket: Socket, stdin: ReadStream, isOwner: boolean): Promise<ViewEnd> =>
  new Promise((resolve) => {
    const keys = new DetachKeys()
    stdin.on('data', (typed: Buffer) => {
      const { bytes, isDetached } = isOwner ? { bytes: typed, isDetached: false } : keys.take(typed)
      if (bytes.length > 0) socket.write(bytesFrame(bytes))
      if (isDetached) resolve({ kind: 'detached' })
    })
  })

const aborted = (signal: AbortSignal | undefined): Promise<ViewEnd> =>
  new Promise((resolve) => {
    if (signal?.aborted === true) resolve({ kind: 'aborted' })
    signal?.addEventListener('abort', () => resolve({ kind: 'aborted' }))
  })
