import { projectName } from '../../contract/handle.ts'
import { Page } from '../parts/page.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { findAgent, useAgents } from '../store/agents.ts'
import type { ViewProps } from './index.ts'

export const AgentView = ({ params: { project = '', handle = '' } }: ViewProps) => {
  useAgents()
  const agent = findAgent(project, handle)
  return (
    <Page title={handle} note={projectName(project)} up="/" isFilling>
      {agent === undefined ? null : <StateBadge state={agent.state} />}
    </Page>
  )
}
