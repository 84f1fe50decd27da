import type { Message } from '../../contract/channel.ts'
import type { Actor, AgentRef } from '../../contract/identity.ts'

/** What the inbox needs of other features. */
export interface InboxNeeds {
  channels: {
    /** Whether text of a channel may be shown to this agent; `mode` is how it says that it asks before its tools run. */
    mayHear(agent: string, channel: string | null, mode?: string): boolean
    /** Messages that wait before they become directives. */
    incoming: {
      held(): { message: Message; agent: AgentRef | null; reason: string }[]
      /** False if it does not wait any more. */
      drop(id: string, actor: Actor): Promise<boolean>
    }
  }
  team: {
    /** How long an agent may be idle before it is asked to look around; null: the setting for all. */
    pollMs(agent: string): number | null
  }
}
