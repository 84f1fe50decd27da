import type { AgentView } from '../contract/routes/agents.ts'
import type { ChannelView, SentView } from '../contract/routes/channels.ts'
import type { InboxItemView, ReadView, Told } from '../contract/routes/directives.ts'
import type { LeaseView } from '../contract/routes/leases.ts'
import type { DiagnosisView, ProjectView, SuggestionView } from '../contract/routes/memory.ts'
import type { AddedNote } from '../contract/routes/notes.ts'
import type { AckedView, EventsView, PostedView, PostsView, PublishedView, RoomView } from '../contract/routes/team.ts'
import type { LeaseMode } from '../contract/lease.ts'
import type { leadMessages } from '../contract/task.ts'
import type { EventPriority } from '../contract/team.ts'
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
  rooms(): Promise<RoomView[]>
  posts(wanted: WantedPosts): Promise<PostsView>
  /** Up to here it is read, once the answer is handed over. */
  confirm(room: string, upTo: number): unknown
  post(post: { room: string; text: string }): Promise<PostedView>
  publish(event: NewEvent): Promise<PublishedView>
  /** Those that are done once are this caller's for a while. */
  events(wanted: { id?: string | undefined; limit: number }): Promise<EventsView>
  ackEvents(ids: string[]): Promise<AckedView>
  /** As an agent of a task. */
  tellLead(message: { kind: (typeof leadMessages)[number]; text: string }): Promise<PublishedView>
  takeLease(wanted: NewLease): Promise<LeaseView>
  renewLease(wanted: { lease: string; ttlMs: number }): Promise<LeaseView[]>
  releaseLease(lease: string): Promise<LeaseView[]>
  leases(): Promise<LeaseView[]>
  suggest(wanted: { prefix: string; limit: number }): Promise<SuggestionView[]>
  projectCommands(wanted: { limit: number }): Promise<ProjectView>
  /** Without a command: the last one that failed here. */
  diagnose(failure: FailedCommand): Promise<DiagnosisView>
  /** It waits for a person. */
  proposeNote(note: NewNote): Promise<AddedNote>
}

export interface NewLease {
  glob: string
  mode: LeaseMode
  ttlMs: number
  why?: string | undefined
}

export interface FailedCommand {
  command?: string | undefined
  exit?: number | undefined
  output?: string | undefined
}

export interface NewNote {
  title: string
  problem: string
  fix: string
  verification?: string | undefined
}

export interface WantedPosts {
  room: string
  unread: boolean
  limit: number
  last?: number
  after?: number
}

export interface NewEvent {
  type: string
  payload: string
  priority?: EventPriority | undefined
  to?: string | undefined
  once: boolean
  dedup?: string | undefined
}
