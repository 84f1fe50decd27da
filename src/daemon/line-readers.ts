import { Worker } from 'node:worker_threads'
import { LineReaders, type ReadingThread } from '../base/shell/line-readers.ts'
import type { ShellReading } from '../base/shell/reading.ts'
import type { Journal } from '../contract/logs.ts'

/** More than the budget of a line lets it keep, and little enough to lose. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 4 }

/** Readers of lines in a thread, which begins with the first line. */
export const lineReaders = (journal: Journal): LineReaders =>
  new LineReaders({
    startThread,
    every: (ms, callback) => {
      const timer = setInterval(callback, ms).unref()
      return () => clearInterval(timer)
    },
    onTrouble: (reason) => journal.write('trouble', { where: 'shell', reason }),
  })

const startThread = (onRead: (reading: ShellReading) => void, onEnd: (why: string) => void): ReadingThread => {
  const worker = new Worker(new URL('./line-reader.js', import.meta.url), { resourceLimits })
  worker.unref()
  worker.on('message', onRead)
  worker.on('error', (error: Error) => onEnd(error.message))
  worker.on('exit', (code) => onEnd(`the thread ended (exit ${code})`))
  return {
    ask: (line) => worker.postMessage(line),
    end: () => {
      worker.removeAllListeners('message')
      void worker.terminate()
    },
  }
}
