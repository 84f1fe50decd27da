import { parentPort } from 'node:worker_threads'
import type { LineToRead } from '../base/shell/line-readers.ts'
import { readShell } from '../base/shell/read.ts'
import { hangAtReading } from './fault.ts'

/** The thread that reads lines of shell, one after the other. */
if (parentPort === null) throw new Error('The reader of lines runs as a thread of the daemon.')
const port = parentPort
port.on('message', ({ text, context }: LineToRead) => {
  hangAtReading(text)
  port.postMessage(readShell(text, context))
})
