import { type Agent, hasTerminal } from '../../contract/agent.ts'
import { redact } from '../../base/redact/redact.ts'
import { escapeUnsafe } from '../../base/util/visible.ts'
import { detailView } from './agent-detail.ts'
import type { Base } from '../../base/base.ts'
import type { Supervisor } from '../supervisor.ts'

const mostLines = 16
const lineLength = 100
const newestRecords = 40

/** The end of what an agent shows, or of what it said last; the agent does not notice. */
export const readAgentOutput = (
  { supervisor, log, settings }: Pick<Base, 'log' | 'settings'> & { supervisor: Supervisor },
  agent: Agent,
): string[] => {
  const records = log.readNewest('turns', agent.id, newestRecords)
  const text = hasTerminal(agent.host)
    ? supervisor.agent(agent.id).readScreen(mostLines * 4)
    : detailView(agent, records, settings['agents.context_window']).said
  return redact(text)
    .text.split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '')
    .slice(-mostLines)
    .map((line) => escapeUnsafe(Array.from(line).slice(0, lineLength).join('')))
}
