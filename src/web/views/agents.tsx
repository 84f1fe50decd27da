import type { AgentView as Agent } from '../../contract/routes/agents.ts'
import { projectName } from '../../contract/handle.ts'
import { pathTo } from '../match-path.ts'
import { Ago } from '../parts/ago.tsx'
import { Empty, Page } from '../parts/page.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { hrefOf } from '../router.ts'
import { agents, useAgents } from '../store/agents.ts'

export const AgentsView = () => {
  useAgents()
  const list = agents.value
  return (
    <Page title="Agents">
      {list === null ? null : list.length === 0 ? (
        <Empty title="No agents." />
      ) : (
        <ul class="agents">
          {list.map((agent) => (
            <AgentRow key={`${agent.project}/${agent.handle}`} agent={agent} />
          ))}
        </ul>
      )}
    </Page>
  )
}

const AgentRow = ({ agent: { handle, project, state, since } }: { agent: Agent }) => (
  <li class="agent">
    <a href={hrefOf(pathTo('agent', project, handle))}>{handle}</a> <span class="soft">{projectName(project)}</span>
    <StateBadge state={state} /> <Ago at={since} />
  </li>
)
