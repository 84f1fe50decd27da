import type { AgentView } from '../../contract/routes/agents.ts'
import { nameFrom } from '../../contract/handle.ts'
import type { CliContext } from '../context.ts'
import { alignColumns } from '../format.ts'

/** On a terminal: what can be done with an agent that works now. */
export const suggestNext = ({ out, cwd }: CliContext, agent: AgentView): void => {
  const name = nameFrom(cwd(), agent)
  const hasTerminal = agent.host === 'tmux' || agent.host === 'pty'
  const commands = [
    ...(hasTerminal ? [[`rein attach ${name}`, 'see its terminal']] : []),
    [`rein tell ${name} 'How far are you?' --wait seen`, 'message it, see it arrive'],
    [`rein logs ${name} --follow`, 'read what it does'],
    ...(hasTerminal ? [] : [[`rein down ${name}`, 'stop it']]),
  ]
  for (const line of alignColumns(commands)) out.hint(`  ${line}`)
}
