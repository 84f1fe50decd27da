import type { OfferVia, Origin } from '../../contract/directive.ts'
import type { HookCall, HookEvent, Responder, ResponderReply } from '../../contract/hooks.ts'
import type { OfferPoint } from './choose-offers.ts'
import type { Inbox } from './inbox.ts'
import { isKeptBack, type Item } from './receipt.ts'

/** What the responder needs to know about the agent that calls. */
export interface StopCounter {
  /** How often in a row this agent was kept from stopping. */
  stopBlocks(agent: string): number
  noteStopBlock(agent: string): void
  /** It has stopped: the next time is the first again. */
  clearStopBlocks(agent: string): void
  /** Whether what is said at this point reaches its model. */
  takesAt(agent: string, point: OfferPoint): boolean
  /** Whether its CLI writes down the context that it is given. */
  writesContext(agent: string): boolean
  /** Whether text from outside may be shown to an agent that asks for permissions like this. */
  mayHear(agent: string, origin: Origin, mode: string | undefined): boolean
  /** Resolves when the conversation has been read as far as it is written, within what a hook may wait. */
  catchUp(agent: string): Promise<void>
}

/** Not at a start: a prompt follows it, or (after a compaction in mid-turn) the next tools do, and take it in once. */
const points: Partial<Record<HookEvent, OfferPoint>> = {
  prompt: 'prompt',
  after_tool: 'batch',
  after_batch: 'batch',
  stop: 'stop',
}

/** Gives an agent what is in its inbox, at every point where its conversation takes something in. */
export const inboxResponder = (inbox: Inbox, agents: StopCounter, maxStopBlocks: number): Responder => ({
  name: 'inbox',
  events: Object.keys(points) as HookEvent[],
  order: 20,
  deadlineMs: 150,
  respond: async (call, room) => {
    const point = points[call.event]
    if (call.agent === null || call.subagent !== null || point === undefined) return {}
    if (!agents.takesAt(call.agent, point)) return {}
    if (point === 'prompt' && hasUnconfirmed(inbox, call.agent)) await agents.catchUp(call.agent)
    return point === 'stop'
      ? atStop(inbox, agents, call, room, maxStopBlocks)
      : { context: offer(inbox, agents, call, point, agents.writesContext(call.agent) ? 'context' : 'unwritten', room) }
  },
})

const hasUnconfirmed = (inbox: Inbox, agent: string): boolean =>
  inbox.hasOpen(agent, (item) => item.state === 'offered' || item.state === 'placed')

const atStop = (inbox: Inbox, agents: StopCounter, call: HookCall, room: number, max: number): ResponderReply => {
  const agent = call.agent ?? ''
  if (agents.stopBlocks(agent) >= max) {
    for (const item of inbox.openItems(agent)) if (!isKeptBack(item)) inbox.hold(item, 'stop_limit')
    // It has stopped: what comes later begins to count anew.
    agents.clearStopBlocks(agent)
    return {}
  }
  const goOn = offer(inbox, agents, call, 'stop', 'feedback', room)
  if (goOn.length > 0) agents.noteStopBlock(agent)
  else if (agents.stopBlocks(agent) > 0) agents.clearStopBlocks(agent)
  return { goOn }
}

const offer = (inbox: Inbox, agents: StopCounter, call: HookCall, point: OfferPoint, via: OfferVia, room: number) => {
  const agent = call.agent ?? ''
  const isFit = ({ directive: { origin } }: Item): boolean =>
    origin === undefined || agents.mayHear(agent, origin, call.mode)
  return inbox.take(agent, point, via, room, isFit).map(({ text }) => ({ from: 'inbox', text }))
}
