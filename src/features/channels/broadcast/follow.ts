import type { BroadcastPorts } from './broadcast.ts'
import { gap, type Item, positionOf } from './turn-line.ts'

export interface Wanted {
  /** Null: from now on. */
  after: number | null
  /** The id of an agent; null: all of them. */
  agent: string | null
}

/** Turns as they end, read when they are asked for: a slow reader only slows itself. */
export async function* followTurns(
  { source, news }: Pick<BroadcastPorts, 'source' | 'news'>,
  { after, agent }: Wanted,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  const { last } = source
  let position = Math.min(after ?? last, last)
  if (after !== null && after > last) yield gap(after, last)
  for await (const _ of news(signal)) {
    while (!signal.aborted) {
      const looked = source.last
      const item = source.next(position, agent)
      if (item === null) {
        position = Math.max(position, looked)
        break
      }
      position = positionOf(item)
      yield item
    }
  }
}
