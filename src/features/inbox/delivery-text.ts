import type { Cadence } from '../../agents/wake/wake.ts'
import { isAsking } from '../../agents/state/machine.ts'
import type { WakeWay } from '../../contract/wake.ts'
import type { Agent } from '../../contract/agent.ts'
import type { Priority } from '../../contract/directive.ts'
import { continueCommand } from '../../contract/handle.ts'
import type { Capabilities } from '../../drivers/contract.ts'

/** What is known of an agent at the moment when something is told to it. */
export interface Prospect {
  priority: Priority
  can: Capabilities | null
  /** What is decided about waking it, with this in its inbox. */
  decision: Cadence
  way: WakeWay
  /** It was woken a moment ago, and its turn has not begun yet. */
  isBeingWoken: boolean
  /** How many wait that are shown before this. */
  ahead: number
}

/** When and how an agent will get what is told to it now: only what is certain. */
export const describeDelivery = (agent: Agent, prospect: Prospect): string =>
  `${wayOf(agent, prospect)}${aheadText(prospect.ahead)}`
    .replaceAll('%%', continueCommand(agent))
    .replaceAll('%', agent.handle)

const wayOf = (agent: Agent, prospect: Prospect): string => {
  const { state } = agent
  if (state === 'idle') return agent.isPaused ? describePaused : describeIdle(prospect)
  if (state === 'working') return describeWorking(agent, prospect)
  if (state === 'starting' && prospect.can?.onPrompt === false) return describeStarted
  if (isAsking(state) && agent.host === 'outside') return describeAskingThere
  if (state === 'crashed' && agent.until === null) return describeDown
  return describeState[state]
}

const aheadText = (ahead: number): string => {
  if (ahead === 0) return ''
  return ahead === 1 ? ' 1 other waits before it.' : ` ${ahead} others wait before it.`
}

const describeIdle = ({ decision, way, isBeingWoken }: Prospect): string => {
  if (decision.kind === 'none') return decision.reason === 'off' ? describeOff : describeGivenUp
  // One that was given up may still be asked to look around, which promises nothing.
  if ((decision.kind === 'wake' ? decision.why : decision.reason) === 'poll') return describeGivenUp
  if (way === 'none') return describeUnheard
  const isLater = decision.kind === 'wait' && decision.ms > describedMs
  if (!isLater) return describeNow[way]
  const seconds = Math.ceil(decision.ms / 1000)
  if (isBeingWoken && decision.reason === 'fruitless')
    return `% was woken a moment ago: it gets this in the turn that begins, or after another wake within ${seconds} s.`
  return describeLater(decision.reason, seconds, way)
}

/** A shorter wait than this is not worth a word. */
const describedMs = 2000

const describeNow: Record<Exclude<WakeWay, 'none'>, string> = {
  protocol: '% is idle: it is woken now and gets this at once.',
  waiter: '% is idle: it is woken now and gets this at once.',
  command: '% is idle: it is woken now and gets this in a few seconds.',
  keys: '% is idle, and Rein can only type to it: that happens when its input box is empty and no one types there.',
  keys_instead: '% is idle: Rein wakes it by typing, as soon as its input box is empty and no one types there.',
}

const describeLater = (reason: string, seconds: number, way: WakeWay): string => {
  const why = reasons[reason] ?? 'is idle'
  return way === 'keys' || way === 'keys_instead'
    ? `% ${why}: Rein types to it in ${seconds} s at the earliest.`
    : `% ${why}: it is woken for this within ${seconds} s.`
}

const reasons: Record<string, string> = {
  interrupted: 'was interrupted and is left alone for a moment',
  fruitless: 'is idle, and its last wake had no effect',
  refused: 'is idle, and could not be woken just now',
}

const describeOff = '% is idle, and notify.enabled is off: it gets this with its next prompt or tool call.'
const describeUnheard = '% is idle and cannot be woken: it gets this with its next prompt or tool call.'
const describeGivenUp =
  '% is idle, and what it was woken for did not reach it: it gets this when its hooks work again, or after rein restart %.'

const describeWorking = ({ isPaused, health }: Agent, { can, priority }: Prospect): string => {
  const { afterTool, onStop, deny } = { afterTool: true, onStop: true, deny: true, ...can }
  if (health.hooks === 'silent') return '% is working, and its hooks are silent: it gets this when they are heard.'
  if (priority === 'urgent' && deny) return '% is working: its next tool calls are stopped until it has read this.'
  if (isPaused) return afterTool ? describePausing : describePaused
  if (afterTool)
    return `% is working: it gets this after its current tool calls, or when it is ${onStop ? 'about to stop' : 'done'}.`
  return `% is working: it gets this when it is ${onStop ? 'about to stop' : 'done'}, because its hooks carry nothing in between.`
}

const describePaused = '% is paused: it gets this when it goes on (rein resume %).'
const describePausing = '% is to pause: it gets this after its current tool calls, or when it goes on (rein resume %).'
const describeStarted = '% is starting: it gets this when it has started.'
const describeAskingThere = '% asks something in its own terminal: it gets this after somebody answers there.'
const describeDown = '% has crashed: this waits until it is started (%%).'

const describeState: Record<Exclude<Agent['state'], 'idle' | 'working'>, string> = {
  starting: '% is starting: it gets this with its first prompt.',
  awaiting_permission: '% waits for a permission: it gets this after somebody answers (rein answer % allow).',
  awaiting_answer: '% waits for an answer: it gets this after somebody answers (rein answer % TEXT).',
  limited: '% is held up by a usage limit: it gets this when it works again.',
  paused: describePaused,
  looping: '% crashed too often, and Rein has given it up: this waits until somebody restarts it (rein restart %).',
  stopped: '% is not running: this waits until it is started (%%).',
  crashed: '% has crashed: it gets this when Rein has started it again.',
}
