import type { ProjectPlaces } from '../../contract/routes/projects.ts'
import { chosenAgents } from './handlers.ts'
import type { AgentParts } from './parts.ts'

/** Those that are nowhere and have no agents are past. */
export const projects = ({ finder, supervisor }: Pick<AgentParts, 'finder' | 'supervisor'>): ProjectPlaces[] => {
  const agents = chosenAgents(supervisor, false)
  return finder.projects
    .map((project) => ({
      project,
      places: finder.placesOf(project),
      agents: agents.filter((agent) => agent.project === project).length,
    }))
    .filter((one) => one.places.length > 0 || one.agents > 0)
}
