import type { AgentView } from '../../contract/routes/agents.ts'

export interface Place {
  project: string
  path: string
}

/** The directories in which agents work, that of the newest first. */
export const findPlaces = (agents: readonly AgentView[]): Place[] => {
  const places = new Map<string, Place>()
  for (const { cwd, project } of agents.toSorted((a, b) => b.since - a.since))
    if (!places.has(cwd)) places.set(cwd, { project, path: cwd })
  return [...places.values()]
}
