import type { MessagePort } from 'node:worker_threads'
import { storageError } from '../store/failure.ts'
import type { ErrorBody } from '../../contract/errors.ts'
import type { WriteJob, Writer, WriteResult } from './writer.ts'

export interface WriteRequest {
  id: number
  job: WriteJob
}

export type WriteAnswer = { id: number; result: WriteResult } | { id: number; error: ErrorBody }

/** Everything that waits when the writer is free goes into one commit: the busier, the fewer fsyncs per record. */
const maxJobsPerCommit = 512

/** Serves a port until it is told to close; an answer is sent only after the commit. */
export const serveWriter = (port: MessagePort, writer: Writer, onClose: () => void): void => {
  const waiting: WriteRequest[] = []

  const flush = (): void => {
    const batch = waiting.splice(0, maxJobsPerCommit)
    if (batch.length === 0) return
    const outcomes = writer.write(batch.map(({ job }) => job))
    const answers = batch.map(({ id }, index): WriteAnswer => {
      const outcome = outcomes[index]
      if (outcome?.ok) return { id, result: outcome.result }
      return { id, error: storageError(outcome?.cause).toBody() }
    })
    port.postMessage({ answers, commits: writer.commits })
    if (waiting.length > 0) setImmediate(flush)
  }

  const finish = (): void => {
    while (waiting.length > 0) flush()
    onClose()
    port.close()
  }

  port.on('message', (requests: WriteRequest[] | 'close') => {
    if (requests === 'close') return finish()
    if (waiting.length === 0) setImmediate(flush)
    waiting.push(...requests)
  })
}
