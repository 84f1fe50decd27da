import type { HookedAgents } from '../../agents/hooked-agents.ts'
import type { HookEvent, Responder } from '../../contract/hooks.ts'
import type { OfferPoint } from './choose-offers.ts'
import type { Inbox } from './inbox.ts'
import { isKeptBack } from './receipt.ts'

type Agents = Pick<
  HookedAgents,
  'stopBlocks' | 'noteStopBlock' | 'clearStopBlocks' | 'takesAt' | 'writesContext' | 'catchUp'
>

/** Not at a start: a prompt follows it, or (after a compaction in mid-turn) the next tools do. */
const points: Partial<Record<HookEvent, OfferPoint>> = {
  prompt: 'prompt',
  after_tool: 'batch',
  after_batch: 'batch',
  stop: 'stop',
}

/** Why an offer is taken back that was in a hook reply for which the CLI did not wait. */
export const replyLost = 'reply_lost'

/**
 * Offers an agent its directives at every point where its conversation takes something in;
 * at a stop up to `maxStopBlocks` times in a row.
 */
export const inboxResponder = (inbox: Inbox, agents: Agents, maxStopBlocks: number): Responder => ({
  name: 'inbox',
  events: Object.keys(points) as HookEvent[],
  deadlineMs: 150,
  respond: async (call, room) => {
    const { agent, subagent } = call
    const point = points[call.event]
    if (agent === null || subagent !== null || point === undefined || !agents.takesAt(agent, point)) return {}
    if (point === 'stop' && agents.stopBlocks(agent) >= maxStopBlocks) {
      for (const item of inbox.openItems(agent)) if (!isKeptBack(item)) inbox.holdItem(item, 'stop_limit')
      agents.clearStopBlocks(agent)
      return {}
    }
    const hasUnconfirmed = (): boolean => inbox.hasOpen(agent, ({ state }) => state === 'offered' || state === 'placed')
    if (point === 'prompt' && hasUnconfirmed()) await agents.catchUp(agent)
    const via = point === 'stop' ? 'feedback' : agents.writesContext(agent) ? 'context' : 'unwritten'
    const offers = inbox.claimOffers(agent, point, via, room, call.mode)
    const texts = offers.map(({ text }) => ({ from: 'inbox', text }))
    const takeBack = (): void => inbox.takeBack(offers, replyLost)
    if (point !== 'stop') return { context: texts, ...(offers.length === 0 ? {} : { onLost: [takeBack] }) }
    if (offers.length === 0) {
      if (agents.stopBlocks(agent) > 0) agents.clearStopBlocks(agent)
      return { goOn: [] }
    }
    // The agent goes on with its directives instead of stopping.
    const unblock = agents.noteStopBlock(agent)
    return { goOn: texts, onLost: [unblock, takeBack] }
  },
})
