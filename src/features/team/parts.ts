import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import type { BusEvent } from '../../contract/team.ts'
import type { Agent } from '../../contract/agent.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Bus } from './bus/bus.ts'
import type { CheckIns } from './checkins.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { MentionDelivery } from './mention-delivery.ts'
import type { Notices } from './notices.ts'
import type { Rooms } from './rooms/rooms.ts'
import type { Watches } from './watches.ts'
import type { Announcer } from './announcer.ts'
import type { Team } from './members.ts'

/** The parts of other features that teams use. */
export interface TeamNeeds {
  inbox: {
    inbox: Inbox
    /** Wakes the agent if something waits for it. */
    consider(agent: string): void
  }
  channels: {
    mayHear(agent: string, channel: string | null): boolean
    tellPeople(project: string, text: string): void
    /** Tells people of an event that no recipient acknowledged. */
    tellOverdue(event: BusEvent, late: readonly Agent[]): void
  }
}

/** The parts that handlers of teams share. */
export interface TeamParts extends Base, Agents {
  rooms: Rooms
  bus: Bus
  watches: Watches
  checkIns: CheckIns
  checkpoints: Checkpoints
  notices: Notices
  mentions: MentionDelivery
  announcer: Announcer
  team: Team
  others: TeamNeeds
}
