import type { RecordedAgents } from '../rules/recorded/agents.ts'
import type { CliContext } from './context.ts'

/** Everybody that the log knows of, and what people answered them. */
export const recordedAgents = async ({ connect, out }: CliContext): Promise<RecordedAgents> => {
  const { RecordedAgents: Agents } = await import('../rules/recorded/agents.ts')
  const agents = new Agents()
  out.status('Reading agents')
  for await (const record of connect().tail('agents', {})) agents.add(record)
  return agents
}
