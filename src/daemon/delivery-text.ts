import type { Cadence } from '../agents/cadence.ts'
import type { Agent } from '../contract/agent.ts'
import type { Priority } from '../contract/directive.ts'
import type { Capabilities } from '../drivers/contract.ts'

/** When and how an agent will get what is told to it now. */
export const describeDelivery = (
  agent: Agent,
  priority: Priority,
  can: Capabilities | null,
  decision: Cadence,
): string => wayOf(agent, priority, can, decision).replaceAll('%', agent.handle)

const wayOf = ({ state }: Agent, priority: Priority, can: Capabilities | null, decision: Cadence): string => {
  if (state === 'working' && can?.afterTool === false && !can.onStop) return describeDeaf
  if (state === 'working' && priority === 'urgent' && can?.deny !== false) return describeUrgent
  if (state === 'idle' && decision.kind === 'none' && decision.reason === 'off') return describeOff
  if (state === 'idle' && decision.kind === 'none' && decision.reason === 'no_evidence') return describeGivenUp
  if (decision.kind === 'wait' && decision.ms > describedMs)
    return `${describeLater} ${Math.ceil(decision.ms / 1000)} s.`
  return describeState[state]
}

/** A shorter wait than this is not worth a word. */
const describedMs = 2000
const describeLater = '% is idle: it is left alone for a moment, and woken for this in'
const describeOff = '% is idle, and notify.enabled is off: it gets this with its next prompt or tool call.'
const describeGivenUp =
  '% is idle, and nothing it was woken for reached it: it gets this when its hooks are heard again, or after rein restart %.'
const describeDeaf = '% is working: it gets this when it is done, because its hooks carry nothing in between.'
const describeUrgent = '% is working: its next tool calls are stopped until it has read this.'

const describeState: Record<Agent['state'], string> = {
  starting: '% is starting: it gets this with its first prompt.',
  idle: '% is idle: it is woken now and gets this at once.',
  working: '% is working: it gets this after its current tool calls, or when it is about to stop.',
  awaiting_permission: '% waits for a permission: it gets this after somebody answers (rein answer % allow).',
  awaiting_answer: '% waits for an answer: it gets this after somebody answers (rein answer % TEXT).',
  limited: '% is held up by a rate limit: it gets this when it works again.',
  paused: '% is paused: it gets this when it goes on.',
  looping: '% crashed too often, and Rein has given it up: this waits until somebody restarts it (rein restart %).',
  stopped: '% is not running: this waits until it is started (rein up % --continue).',
  crashed: '% has crashed: it gets this when Rein has started it again (if it does not: rein up % --continue).',
}
