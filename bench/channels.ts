import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Box } from '../test/process/harness.ts'
import { withBox } from './box.ts'
import { type Findings, interleave, median, ms, percentile, times, type Topic } from './measure.ts'

const lines = 200

/** A message by a FIFO, and one by the socket of the daemon, each until a reader of the log has it; they take turns. */
const run = (): Promise<Findings> =>
  withBox(async (box) => {
    await box.daemon()
    const log = box.client().tail({ topic: 'messages', after: 0, follow: true })
    const fifo = await openFifo(box)
    const arrival = async (send: () => unknown): Promise<number> => {
      const started = performance.now()
      const received = log.next()
      await send()
      await received
      return performance.now() - started
    }
    const taken = await interleave(
      {
        fifo: (round) => arrival(() => fifo.write(`line ${round}\n`)),
        socket: (round) => arrival(() => box.client().receive({ name: 'bench', content: `line ${round}` })),
      },
      lines,
    )
    fifo.end()
    return findings(taken)
  })

const openFifo = async ({ paths }: Box): Promise<NodeJS.WritableStream> => {
  const path = join(paths.runtime, 'in.bench')
  execFileSync('mkfifo', ['-m', '600', path])
  const fifo = createWriteStream(path)
  await once(fifo, 'open')
  return fifo
}

const findings = ({ fifo, socket }: Record<'fifo' | 'socket', number[]>): Findings => ({
  head: ['from the sender to a reader of the log', 'p50', 'p95', 'compared with the socket (p50)'],
  rows: [
    ['a line into a FIFO', ms(median(fifo)), ms(percentile(fifo, 0.95)), times(median(fifo) / median(socket))],
    ['a request on the socket, answered', ms(median(socket)), ms(percentile(socket, 0.95)), times(1)],
  ],
  goals: [],
  notes: [`${lines} messages each, one after the other; every one is on disk (fsync) before the reader has it.`],
})

export const channels: Topic = { title: 'Messages into a channel', run }
