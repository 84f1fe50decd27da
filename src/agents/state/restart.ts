import type { Agent } from '../../contract/agent.ts'

export interface RestartSettings {
  isOn: boolean
  firstWaitMs: number
  longestWaitMs: number
  /** Crashes within an hour after which it is given up; 0: never. */
  limit: number
}

type Restart = { kind: 'none' } | { kind: 'at'; at: number } | { kind: 'give_up' }

const hourMs = 3_600_000

/** A healthy hour is forgiven. */
export const recentCrashes = ({ crashes }: Agent, now: number): number[] =>
  crashes.filter((crash) => now - crash < hourMs)

/** What is done about an agent that has just crashed. */
export const planRestart = (agent: Agent, settings: RestartSettings, now: number): Restart => {
  const isWanted = settings.isOn && agent.request?.restart !== false && agent.host !== 'outside'
  if (!isWanted) return { kind: 'none' }
  const before = recentCrashes(agent, now).length
  if (settings.limit > 0 && before + 1 >= settings.limit) return { kind: 'give_up' }
  const wait = settings.firstWaitMs * 2 ** before
  return { kind: 'at', at: now + Math.min(wait, settings.longestWaitMs) }
}

/** Whether a planned moment has come; a clock that was set back must not put it off for ever. */
export const isDue = (at: number, longestWaitMs: number, now: number): boolean => now >= at || at - now > longestWaitMs
