import type { OwnWords } from '../../agents/agents.ts'
import { journalStep } from '../../agents/view/journal-entries.ts'
import type { Base } from '../../base/base.ts'
import { randomBytes } from '../../base/util/random.ts'
import type { CadenceSettings } from '../../agents/wake/wake.ts'
import type { AgentRef } from '../../contract/identity.ts'
import type { directiveRoutes } from '../../contract/routes/directives.ts'
import type { Feature } from '../feature.ts'
import { Delivery } from './delivery.ts'
import { directiveHandlers, type InboxParts } from './handlers.ts'
import { Inbox } from './inbox.ts'
import { inboxAnswers, inboxTools } from './mcp-tools.ts'
import type { InboxNeeds } from './needs.ts'
import { sayTo, withdraw } from './own-words.ts'
import { inboxResponder } from './responder.ts'
import { Sightings } from './sightings.ts'
import { storedDirectives } from './store.ts'
import { urgentResponder } from './urgent.ts'

interface InboxApi {
  inbox: Inbox
  /** Wakes the agent if something waits for it. */
  consider: (agent: string) => void
  say: (agent: AgentRef, words: OwnWords) => Promise<unknown>
  withdraw: (agent: string, types: readonly string[]) => Promise<void>
}

/** Directives, their receipts, and how agents get to know of them. */
export const inbox: Feature<'inbox', typeof directiveRoutes, InboxNeeds, InboxApi> = {
  name: 'inbox',
  create: (base, agents, others) => {
    const { journal, settings } = base
    const stored = storedDirectives(base.reader)
    const directives = new Inbox(
      { ...base, stored, others, newNonce: () => randomBytes(8).toString('hex') },
      {
        maxOpen: settings['inbox.limit'],
        maxOpenOfAgent: settings['inbox.agent_limit'],
        maxTextBytes: settings['inbox.max_text_bytes'],
        ackDeadlineMs: settings['inbox.ack_deadline_s'] * 1000,
      },
    )
    const sightings = new Sightings(directives)
    const shared = { ...base, ...agents, inbox: directives, others }
    const delivery = new Delivery({ ...shared, sightings, cadence: cadenceSettings(settings) })
    const parts: InboxParts = { ...shared, delivery }
    directives.listen({ onStep: (item, record) => journalStep(journal, item, record) })
    directives.listen(delivery)
    return {
      handlers: directiveHandlers(parts),
      responders: [
        urgentResponder(directives, (id) => agents.hooks.catchUp(id)),
        inboxResponder(directives, agents.hooks, settings['inbox.stop_blocks']),
      ],
      // Delivery looks for what the sightings have found.
      watchers: [sightings, delivery],
      mcpTools: inboxTools(inboxAnswers(parts)),
      start: () => delivery.start(),
      stop: () => {
        delivery.stop()
        directives.stop()
      },
      reload: () => directives.reload(),
      api: {
        inbox: directives,
        consider: (agent) => delivery.consider(agent),
        say: (agent, words) => sayTo(directives, agent, words),
        withdraw: (agent, types) => withdraw(directives, agent, types),
      },
    }
  },
}

const cadenceSettings = (settings: Base['settings']): CadenceSettings => ({
  isEnabled: settings['notify.enabled'],
  quietMs: settings['inbox.interrupt_quiet_s'] * 1000,
  gatherMs: settings['notify.check_s'] * 1000,
  cooldownMs: settings['notify.cooldown_s'] * 1000,
  graceMs: settings['notify.startup_grace_s'] * 1000,
  maxWaitMs: settings['notify.max_wait_s'] * 1000,
  pollMs: settings['notify.safety_poll_s'] * 1000,
})
