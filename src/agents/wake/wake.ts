import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Agent, hasTerminal } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { HookCall } from '../../contract/hooks.ts'
import type { HostedAgent } from '../../contract/host.ts'
import { wakeSentence, type WakeWay } from '../../contract/wake.ts'
import type { Driver, Wake } from '../../drivers/contract.ts'
import { isAsking } from '../state/machine.ts'

/** Something that waits for an agent, wherever it came from. */
export interface Notice {
  /** `soon` may be gathered with others; `now` waits for nothing but the agent itself. */
  urgency: 'now' | 'soon'
  /** `room`: Rein asks those who are silent there. */
  from: 'person' | 'agent' | 'channel' | 'room' | 'rein'
  since: number
  /** It waits as what others say does, whoever said it: left over from a turn that was prolonged often enough, or shown before. */
  isPatient?: boolean
}

export interface CadenceSettings {
  isEnabled: boolean
  /** Left alone after a person interrupted it. */
  quietMs: number
  gatherMs: number
  cooldownMs: number
  graceMs: number
  maxWaitMs: number
  /** 0: an idle agent is never asked to look around. */
  pollMs: number
}

export interface CadenceMemory {
  /** When it was woken last, or when that was tried. */
  lastWakeAt: number
  /** Wakes in a row that led to nothing. */
  fruitless: number
  /** Wakes in a row that could not even be tried. */
  refused: number
  launchedAt: number
  /** Nothing that was tried led to anything, and nothing is left to try. */
  isGivenUp: boolean
}

export interface Situation {
  agent: Pick<Agent, 'state' | 'since' | 'interruptedAt' | 'isPaused'>
  memory: CadenceMemory
  notices: readonly Notice[]
  /** How much of its context is used, from 0 to 1; null if that is not known. */
  fullness: number | null
}

export type Cadence =
  | {
      kind: 'none'
      reason: 'off' | 'paused' | 'limited' | 'dialog_open' | 'not_idle' | 'nothing' | 'only_rein' | 'no_evidence'
    }
  | { kind: 'wait'; ms: number; reason: Wait['reason'] }
  | { kind: 'wake'; why: 'notices' | 'poll' }

interface Wait {
  reason: 'settling' | 'interrupted' | 'fruitless' | 'refused' | 'gathering' | 'cooldown' | 'starting' | 'poll'
  ms: number
}

/** Waits before the second, third … wake in a row that led to nothing. */
const patienceMs = [0, 30_000, 60_000, 120_000, 300_000, 600_000]
/** The transcript of the turn that just ended is still being written. */
const settleMs = 400
const longestRefusedMs = 60_000
/** A CLI that is this full compacts, or refuses: what is not urgent gives it twice the time. */
const fullAt = 0.95
const longestFullMs = 600_000

/** Whether an agent is woken now, later, or not at all. */
export const decideWake = (situation: Situation, settings: CadenceSettings, now: number): Cadence => {
  const { agent, memory, notices } = situation
  if (!settings.isEnabled) return { kind: 'none', reason: 'off' }
  if (agent.state === 'paused' || (agent.state === 'idle' && agent.isPaused)) return { kind: 'none', reason: 'paused' }
  if (agent.state === 'limited') return { kind: 'none', reason: 'limited' }
  if (isAsking(agent.state)) return { kind: 'none', reason: 'dialog_open' }
  if (agent.state !== 'idle') return { kind: 'none', reason: 'not_idle' }
  const isWorthIt = isWorthATurn(notices)
  if (isWorthIt && !memory.isGivenUp) return after(waitsFor(situation, settings, now), 'notices')
  if (settings.pollMs > 0) return after(waitsForPoll(situation, settings, now), 'poll')
  if (isWorthIt) return { kind: 'none', reason: 'no_evidence' }
  return { kind: 'none', reason: notices.length === 0 ? 'nothing' : 'only_rein' }
}

/** What only Rein has to say, and not at once, is said when the agent next runs. */
const isWorthATurn = (notices: readonly Notice[]): boolean =>
  notices.some(({ from, urgency }) => from !== 'rein' || urgency === 'now')

const after = (waits: readonly Wait[], why: 'notices' | 'poll'): Cadence => {
  const longest = waits.reduce((one, other) => (other.ms > one.ms ? other : one))
  return longest.ms > 0 ? { kind: 'wait', ...longest } : { kind: 'wake', why }
}

const waitsFor = (situation: Situation, settings: CadenceSettings, now: number): Wait[] => {
  const { memory, notices } = situation
  const own = ownWaits(situation, settings, now)
  if (isUrgent(notices)) return own
  const stretch = stretchOf(situation)
  const first = Math.min(...notices.map(({ since }) => since))
  const atMost = left(first, stretch(settings.maxWaitMs), now)
  // An agent that has just started is busy with itself and its team; what comes from outside was sent to it on purpose.
  const graceMs = notices.some(({ from }) => from === 'channel') ? 0 : settings.graceMs
  const waits: Wait[] = [
    { reason: 'gathering', ms: left(first, stretch(settings.gatherMs), now) },
    { reason: 'cooldown', ms: left(memory.lastWakeAt, stretch(settings.cooldownMs), now) },
    { reason: 'starting', ms: left(memory.launchedAt, stretch(graceMs), now) },
  ]
  return [...own, ...waits.map(({ reason, ms }) => ({ reason, ms: Math.min(ms, atMost) }))]
}

/** What the agent itself asks for: nothing shortens these. */
const ownWaits = (situation: Situation, { quietMs, gatherMs }: CadenceSettings, now: number): Wait[] => {
  const { agent, memory, notices } = situation
  const patience = patienceMs[Math.min(memory.fruitless, patienceMs.length - 1)] ?? 0
  const stretch = isUrgent(notices) ? (ms: number) => ms : stretchOf(situation)
  // It was something about that moment; when the agent has moved since, it may be another one.
  const hasMoved = agent.since > memory.lastWakeAt && agent.since <= now
  const isStillRefused = memory.refused > 0 && !hasMoved
  const refusedMs = isStillRefused ? Math.min(longestRefusedMs, gatherMs * 2 ** (memory.refused - 1)) : 0
  return [
    { reason: 'settling', ms: left(agent.since, settleMs, now) },
    { reason: 'interrupted', ms: agent.interruptedAt === null ? 0 : left(agent.interruptedAt, quietMs, now) },
    { reason: 'fruitless', ms: left(memory.lastWakeAt, stretch(patience), now) },
    { reason: 'refused', ms: left(memory.lastWakeAt, refusedMs, now) },
  ]
}

const waitsForPoll = (situation: Situation, { pollMs }: CadenceSettings, now: number): Wait[] => {
  const { agent, memory } = situation
  return [{ reason: 'poll', ms: left(Math.max(agent.since, memory.lastWakeAt), stretchOf(situation)(pollMs), now) }]
}

const isUrgent = (notices: readonly Notice[]): boolean =>
  notices.some(({ urgency, isPatient }) => urgency === 'now' && isPatient !== true)

/** A wait is doubled for an agent whose context is full. */
const stretchOf =
  ({ fullness }: Situation) =>
  (ms: number): number =>
    fullness !== null && fullness >= fullAt ? Math.max(ms, Math.min(2 * ms, longestFullMs)) : ms

/** Never more than the wait itself, and nothing at all from a future further off: a clock that was set back holds nobody up. */
export const left = (since: number, wait: number, now: number): number => {
  if (since - now > wait) return 0
  return Math.max(0, Math.min(wait, since + wait - now))
}

const run = promisify(execFile)
const commandLimitMs = 20_000
/** So long after a start or a stop its waiter may still be on its way; one that was there and has died is not. */
const armingMs = 5000

/** A CLI may wrap the sentence into words of its own. */
export const isWake = ({ prompt }: HookCall): boolean => prompt?.includes(wakeSentence) ?? false

/** Starts a turn in an idle agent: with a text of its own, or with the fixed sentence, by the best way that its driver has. */
export const startTurn = async (
  driver: Driver,
  agent: Agent,
  hosted: HostedAgent,
  text: string | null,
  now: number,
): Promise<void> => {
  if (text !== null) return hosted.prompt(text)
  const way = wayToWake(driver, agent, hosted)
  if (way === 'command') return runWake(driver, agent)
  if (way === 'protocol' || way === 'keys') return hosted.prompt(wakeSentence)
  if (way === 'keys_instead' && !isArming(agent, hosted, now)) return hosted.prompt(wakeSentence)
  if (way !== 'waiter' || !hosted.wakeWaiter()) throw new ReinError('refused', 'no_waiter')
}

const isArming = ({ since }: Agent, hosted: HostedAgent, now: number): boolean =>
  hosted.waiter() === 'none' && now - since < armingMs

/** How it would be woken now. */
export const wayToWake = (driver: Driver, agent: Agent, hosted: HostedAgent): WakeWay => {
  const way = chosenWay(driver.wake(agent.version), agent)
  if (way !== 'waiter' || hosted.waiter() === 'listens') return way
  return hasTerminal(agent.host) ? 'keys_instead' : 'none'
}

const chosenWay = (wake: Wake, { host, conversation, transcript }: Agent): WakeWay => {
  if (host === 'stream') return 'protocol'
  if (wake.kind === 'waiter') return 'waiter'
  if (wake.kind === 'paste') return host === 'outside' ? 'none' : 'keys'
  // Before its first prompt there is no conversation that a command could name.
  return conversation === null || transcript === null ? 'keys' : 'command'
}

const runWake = async (driver: Driver, agent: Agent): Promise<void> => {
  const { conversation, transcript } = agent
  const wake = driver.wake(agent.version)
  if (wake.kind !== 'command' || conversation === null || transcript === null) return
  const target = { program: agent.program ?? driver.program, conversation, transcript }
  const { program, args, env } = wake.command(target, wakeSentence)
  try {
    await run(program, args, { env: { ...process.env, ...env }, timeout: commandLimitMs })
  } catch (cause) {
    throw new ReinError('failed', `wake: ${(cause as Error).message}`)
  }
}
