import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { ReinError } from '../contract/errors.ts'

export async function* linesOf(file: string): AsyncGenerator<string> {
  const stream = createReadStream(file)
  try {
    yield* createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })
  } catch (cause) {
    throw new ReinError(
      'not_found',
      `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    )
  } finally {
    stream.destroy()
  }
}
