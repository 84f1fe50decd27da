import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import type { Broadcast, BroadcastPorts } from './broadcast/broadcast.ts'
import type { Channels } from './channels.ts'
import type { FifoInputs } from './fifo/inputs.ts'
import type { FifoOutputs } from './fifo/outputs.ts'
import type { Incoming } from './incoming.ts'
import type { Outbox } from './outbox.ts'
import type { Sender } from './sender.ts'
import type { RateLimit } from './webhooks/rate.ts'
import type { WebhookSecrets } from './webhooks/secrets.ts'
import type { Actor } from '../../contract/identity.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Notices } from './notices.ts'
import type { Questions } from './question-answers.ts'
import type { Adapters } from './running-adapters.ts'

/** The parts of other features that channels use. */
export interface ChannelNeeds {
  inbox: { inbox: Pick<Inbox, 'accept' | 'listen'> }
  team: {
    rooms: {
      has(key: string): boolean
      /** The same id again is the same post. */
      post(post: { project: string; name: string; author: Actor; text: string; id: string }): Promise<unknown>
    }
  }
}

/** The parts that handlers of channels share. */
export interface ChannelParts extends Base, Agents {
  broadcast: Broadcast
  turns: Pick<BroadcastPorts, 'source' | 'news'>
  adapters: Adapters
  sender: Sender
  questions: Questions
  notices: Notices
  secrets: WebhookSecrets
  rates: RateLimit
  channels: Channels
  incoming: Incoming
  outbox: Outbox
  fifos: { inputs: FifoInputs; outputs: FifoOutputs }
}
