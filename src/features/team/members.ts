import type { Supervisor } from '../../agents/supervisor.ts'
import { type Agent, isAlive } from '../../contract/agent.ts'
import { type TeamFile, type Watch, watchesAll } from '../../contract/team.ts'
import { emptyTeam, type ReadTeam } from './hubs.ts'
import { watchesEvent, watchesRoom } from './watch.ts'
import type { Watches } from './watches.ts'

/** The members of a team, and what each watches. */
export interface Team {
  agents(project: string): Agent[]
  file(project: string): TeamFile
  /** The team file of a directory, whether an agent works there or not. */
  fileAt(dir: string): ReadTeam
  watchesRoom(agent: Agent, room: string): boolean
  watchers(project: string, room: string): Agent[]
  listeners(project: string, type: string, isAmbient: boolean, publisher: string | null): Agent[]
}

export const teamOf = (supervisor: Supervisor, watches: Watches, file: Team['file'], fileAt: Team['fileAt']): Team => {
  const agents = (project: string): Agent[] => supervisor.agents.filter((agent) => agent.project === project)
  /** Most watch what they began with, which names no hub: that is decided once for all of them, without the file. */
  const among = (project: string, wants: (watch: Watch, team: TeamFile) => boolean): Agent[] => {
    const byDefault = wants(watchesAll, emptyTeam)
    let team: TeamFile | undefined
    const isWanted = (watch: Watch): boolean =>
      watch === watchesAll ? byDefault : wants(watch, (team ??= file(project)))
    // It runs, or is about to again.
    return agents(project).filter(
      (agent) =>
        (isAlive(agent.state) || (agent.state === 'crashed' && agent.until !== null)) &&
        isWanted(watches.get(agent.id)),
    )
  }
  return {
    agents,
    file,
    fileAt,
    watchesRoom: ({ id, project }, room) => {
      const watch = watches.get(id)
      return watch === watchesAll || watchesRoom(watch, room, file(project))
    },
    watchers: (project, room) => among(project, (watch, team) => watchesRoom(watch, room, team)),
    listeners: (project, type, isAmbient, publisher) =>
      among(project, (watch, team) => watchesEvent(watch, type, isAmbient, team)).filter(({ id }) => id !== publisher),
  }
}

/** Where the file of a team is looked for: where the first of its agents works. */
export const homeOf = ({ agents }: Supervisor, project: string): string => {
  const own = agents.filter((agent) => agent.project === project)
  return own.toSorted((one, other) => one.createdAt - other.createdAt)[0]?.cwd ?? ''
}
