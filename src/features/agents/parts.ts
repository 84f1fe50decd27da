import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import type { Here } from '../../contract/routes/fields.ts'
import type { Channels } from '../channels/channels.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Rooms } from '../team/rooms/rooms.ts'

/** What starting and ending agents needs of other features. */
export interface AgentFeatureNeeds {
  inbox: { inbox: Pick<Inbox, 'end'> }
  channels: { channels: Pick<Channels, 'checkLaunch'> }
  team: { rooms: Pick<Rooms, 'all'> }
  sessions: {
    isMoving(agent: string): boolean
    /** Before an agent is started in a directory. */
    prepare(cwd: string): Promise<void>
  }
  tasks: { layout(input: Here & { target: string }): Promise<string[] | null> }
  /** Brings what `rein setup` has put there up to date. */
  deploy: { refresh(): Promise<boolean> }
}

/** What the handlers of agents and runs work with. */
export interface AgentParts extends Base, Agents {
  others: AgentFeatureNeeds
  /** Whether this daemon is ending: agents of runs are left to the next one. */
  isEnding: () => boolean
}
