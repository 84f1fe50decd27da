import type { AnyRecord } from '../contract/record.ts'
import type { Log } from './log/log.ts'

/** A topic as it is, then as it grows. */
export async function* tailTopic(
  log: Log,
  topic: string,
  { after, follow }: { after?: number | undefined; follow: boolean },
  signal: AbortSignal,
): AsyncGenerator<AnyRecord> {
  if (follow) yield* log.tail(topic, after, signal)
  const knownFloor = after === undefined ? log.bounds(topic).floor : 0
  let position = after ?? 0
  for (;;) {
    const page = log.readAfter(topic, position, undefined, knownFloor)
    if (page.length === 0 || signal.aborted) return
    yield* page
    position = page.at(-1)?.seq ?? position
  }
}
