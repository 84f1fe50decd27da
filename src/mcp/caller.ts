import type { AgentView, ChannelView, InboxItemView, ReadView, SentView, Told } from '../contract/api-types.ts'
import type { Priority, Receipt } from '../contract/directive.ts'

export interface Message {
  agent: string
  text: string
  priority: Priority
}

/** What the tools can do, each as whoever calls them: the daemon has checked who that is. */
export interface Caller {
  inbox(): Promise<InboxItemView[]>
  /** Refuses what is for another agent. */
  read(id: string, part: number | null): Promise<ReadView>
  ack(id: string, note: string | undefined): Promise<Receipt>
  tell(message: Message): Promise<Told>
  agents(): Promise<AgentView[]>
  channels(): Promise<ChannelView[]>
  send(message: { channel: string; text: string; replyTo?: string | undefined }): Promise<SentView>
}
