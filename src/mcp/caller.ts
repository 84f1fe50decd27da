import type { AllRoutes, RouteName } from '../contract/routes/all.ts'
import type { InputOf, OutputOf } from '../contract/routes/route.ts'

type Input<Name extends RouteName, Field extends keyof InputOf<AllRoutes[Name]>> = Pick<InputOf<AllRoutes[Name]>, Field>
type Answer<Name extends RouteName> = Promise<OutputOf<AllRoutes[Name]>>

/** What the tools can do, each as whoever calls them: the daemon has checked who that is, and knows where it works. */
export interface Caller {
  inbox(): Answer<'inbox'>
  /** Refuses what is for another agent. */
  read(id: string, part: number | null): Answer<'read'>
  ack(id: string, note: string | undefined): Answer<'ack'>
  tell(message: { agent: string } & Input<'tell', 'text' | 'priority'>): Answer<'tell'>
  agents(): Answer<'ps'>
  channels(): Promise<OutputOf<AllRoutes['channels']>['channels']>
  send(message: { channel: string } & Input<'sendOut', 'text' | 'replyTo'>): Answer<'sendOut'>
  rooms(): Answer<'rooms'>
  posts(wanted: Input<'posts', 'room' | 'unread' | 'limit' | 'last' | 'after'>): Answer<'posts'>
  /** Up to here it is read, once the answer is handed over. */
  confirm(room: string, upTo: number): unknown
  post(post: Input<'post', 'room' | 'text'>): Answer<'post'>
  publish(event: Input<'publish', 'type' | 'payload' | 'priority' | 'to' | 'once' | 'dedup'>): Answer<'publish'>
  /** Those that are done once are this caller's for a while. */
  events(wanted: Input<'events', 'id' | 'limit'>): Answer<'events'>
  ackEvents(ids: string[]): Answer<'ackEvents'>
  /** As an agent of a task. */
  tellLead(message: Input<'tellLead', 'kind' | 'text'>): Answer<'tellLead'>
}
