/** How a route names an agent: from a page there is no directory. */
export interface Target {
  project: string
  handle: string
}

export const nameOf = ({ project, handle }: Target): string => `${project}/${handle}`

export const targetOf = (agent: Target): { target: string; project: string } => ({
  target: nameOf(agent),
  project: agent.project,
})

/** What is written in a room is kept as for an agent; no agent has a name like that. */
export const roomTarget = (project: string, room: string): Target => ({ project, handle: `#${room}` })
