import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { nthLine, socketIn } from '../support/broadcaster.ts'
import { LineSplitter } from '../../src/base/util/line-splitter.ts'
import { tempDir } from '../support/builders.ts'
import type { BroadcastOrder, Figures } from '../process/fixtures/broadcaster.ts'
import { repository, until } from '../process/harness.ts'

let program: string
beforeAll(async () => {
  const { bundleTs } = (await import(join(repository, 'scripts/load-ts.mjs'))) as {
    bundleTs: (source: string) => Promise<string>
  }
  program = await bundleTs('test/process/fixtures/broadcaster.ts')
})

interface Broadcaster {
  child: ChildProcess
  /** How it was at the start. */
  first: Figures
  ask(order: BroadcastOrder): Promise<Figures>
}

const message = async (child: ChildProcess): Promise<Figures> => ((await once(child, 'message')) as [Figures])[0]

const start = async (dir: string): Promise<Broadcaster> => {
  const child = fork(program, [dir])
  onTestFinished(() => void child.kill('SIGKILL'))
  const ask = (order: BroadcastOrder): Promise<Figures> => {
    child.send(order)
    return message(child)
  }
  return { child, first: await message(child), ask }
}

const nothing = { from: 0, turns: 0, bytes: 0 }

/** Reads nothing before it is resumed. */
const subscribe = (dir: string): Socket => {
  const socket = connect(socketIn(dir)).pause()
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Resolves when exactly these bytes have come. */
const gets = (socket: Socket, expected: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    let offset = 0
    socket.on('data', (chunk: Buffer) => {
      const isRight = chunk.equals(expected.subarray(offset, offset + chunk.length))
      offset += chunk.length
      if (!isRight) reject(new Error(`Something else came before byte ${offset}.`))
      else if (offset === expected.length) resolve()
    })
    socket.resume().once('close', () => reject(new Error(`It ended after ${offset} of ${expected.length} bytes.`)))
  })

const linesUpTo = (count: number, bytes: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, n) => nthLine(n, bytes)))

/** Resolves when the broadcaster knows so many subscribers. */
const untilConnected = async (broadcaster: Broadcaster, count: number): Promise<void> => {
  await until(async () => (await broadcaster.ask(nothing)).connections === count)
}

test('1,000 subscribers, 100 of them stuck, and a burst: the others get every byte, and the daemon stays small', async () => {
  const [turns, bytes] = [1_000, 3_072]
  const dir = tempDir()
  const broadcaster = await start(dir)
  const sockets = Array.from({ length: 1_000 }, () => subscribe(dir))
  await untilConnected(broadcaster, 1_000)
  const expected = linesUpTo(turns, bytes)
  const healthy = sockets.slice(100).map((socket) => gets(socket, expected))
  await broadcaster.ask({ from: 0, turns, bytes })
  await Promise.all(healthy)
  const { mostSize, connections } = await broadcaster.ask(nothing)
  expect(connections).toBe(1_000)
  expect((mostSize - broadcaster.first.size) / 2 ** 20).toBeLessThan(150)
})

/** Reads lines, and knows where to go on after the last whole one. */
class Reader {
  readonly lines: string[] = []
  readonly #splitter = new LineSplitter()

  constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.lines.push(...this.#splitter.push(chunk))).resume()
  }

  get position(): number {
    return (JSON.parse(this.lines.at(-1) ?? '{"seq":0}') as { seq: number }).seq
  }
}

test('a daemon that is killed in the middle of a burst: its subscribers go on after their last line, none missing, none twice', async () => {
  const [turns, bytes] = [300, 30_000]
  const dir = tempDir()
  const first = await start(dir)
  const readers = Array.from({ length: 20 }, () => new Reader(subscribe(dir)))
  await untilConnected(first, readers.length)
  void first.ask({ from: 0, turns, bytes }).catch(() => undefined)
  const [early] = readers
  while ((early?.lines.length ?? 0) < 20) await once(early?.socket as Socket, 'data')
  const ended = readers.map(({ socket }) => once(socket, 'close'))
  first.child.kill('SIGKILL')
  await Promise.all(ended)
  const second = await start(dir)
  const again = readers.map(({ position, lines }) => {
    const socket = subscribe(dir)
    socket.write(`{"after":${position}}\n`)
    return gets(socket, linesUpTo(turns, bytes).subarray(byteLength(lines)))
  })
  // Those that the first one had not written yet; the others are known already.
  await second.ask({ from: 0, turns, bytes })
  await expect(Promise.all(again)).resolves.toHaveLength(readers.length)
})

const byteLength = (lines: string[]): number => lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
