import type { EventEmitter } from 'node:events'
import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import type { Incoming } from '../channels/incoming.ts'
import type { Inbox } from './inbox.ts'
import type { Delivery } from './delivery.ts'

/** What the inbox needs of other features. */
export interface InboxNeeds {
  channels: {
    mayHear(agent: string, channel: string | null, mode?: string): boolean
    incoming: Pick<Incoming, 'held' | 'drop' | 'pass'>
  }
  team: {
    pollMs(agent: string): number | null
    onNoticeClosed(agent: string): void
  }
}

/** What the handlers of directives work with. */
export interface InboxParts extends Base, Agents {
  inbox: Inbox
  delivery: Delivery
  /** Emits a directive's id whenever something became of it. */
  steps: EventEmitter
  others: InboxNeeds
}
