import type { AnyRecord } from '../../contract/record.ts'
import type { RecordedAgents } from '../../features/rules/recorded/agents.ts'
import type { CliContext } from '../context.ts'

/** Everybody that the log knows of, and what people answered them. */
export const recordedAgents = async ({ connect, out }: CliContext): Promise<RecordedAgents> => {
  const { RecordedAgents: Agents } = await import('../../features/rules/recorded/agents.ts')
  const agents = new Agents()
  out.status('Reading agents')
  for await (const record of connect().tail({ topic: 'agents' })) agents.add(record)
  return agents
}

/** Records of several topics in the order in which they happened. */
export async function* inOrder(topics: readonly AsyncIterable<AnyRecord>[]): AsyncGenerator<AnyRecord> {
  const readers = topics.map((topic) => topic[Symbol.asyncIterator]())
  const next = await Promise.all(readers.map((reader) => reader.next()))
  for (;;) {
    const open = next.flatMap((one, index) => (one.done ? [] : [{ index, record: one.value }]))
    const [first, ...others] = open
    if (first === undefined) return
    const { index, record } = others.reduce((a, b) => (b.record.at < a.record.at ? b : a), first)
    yield record
    const after = await readers[index]?.next()
    if (after !== undefined) next[index] = after
  }
}
