import { z } from 'zod'
import type { AgentView } from '../../contract/routes/agents.ts'
import { quoted, tool } from '../../mcp/tool.ts'

export const agentTools = (list: () => AgentView[]) => ({
  list_agents: tool({
    description: 'Lists the agents that run here, with their states.',
    input: z.object({}),
    isReadOnly: true,
    isFree: false,
    run: async () => {
      const agents = list()
      return agents.length === 0 ? 'No agents.' : agents.map(agentLine).join('\n')
    },
  }),
})

const agentLine = ({ handle, project, driver, state, cwd, inbox }: AgentView): string => {
  const open = inbox.queued + inbox.offered + inbox.placed + inbox.seen
  return `${project}/${handle}: ${driver}, ${state.replaceAll('_', ' ')}, ${open} open directives, in ${quoted(cwd)}`
}
