import type { Evidence } from '../../contract/identity.ts'
import type { AgentView } from '../../contract/routes/agents.ts'
import type { TurnUsage } from '../../contract/turn.ts'
import { clockTime } from './time.ts'

export const costText = (usage: TurnUsage | null | undefined): string =>
  usage?.costUsd === undefined ? '' : `$${usage.costUsd.toFixed(2)}`

/** 12,345 as `12k`. */
export const shortCount = (count: number): string => {
  if (count < 1_000) return String(count)
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

/** What is wrong with an agent beside its state, one line each. */
export const troublesOf = ({ state, health, weakened, wake, pauseReason, until, pid }: AgentView): string[] =>
  [
    pauseReason === null ? '' : `Rein has paused it: ${pauseReason}`,
    state === 'limited' && until !== null ? `a usage limit, until ${clockTime(until)}` : '',
    state === 'crashed' && until !== null ? `starts again at ${clockTime(until)}` : '',
    pid !== null && health.hooks === 'silent' ? 'its hooks are silent: nothing reaches it while it works' : '',
    pid !== null && health.failures > 0 ? `${health.failures} wakes in a row had no effect` : '',
    state === 'idle' && wake === 'none' ? 'it cannot be woken until its next turn' : '',
    ...weakened.map((what) => `rules and guards may not apply: ${what}`),
  ].filter(Boolean)

const sources: Record<Evidence['source'], string> = {
  stream: 'its protocol',
  hook: 'a hook',
  transcript: 'its transcript',
  screen: 'its screen',
  process: 'its process',
  command: 'a command',
}

/** Why a state is believed: `by a hook: UserPromptSubmit`. */
export const evidenceText = (evidence: Evidence | null): string => {
  if (evidence === null) return ''
  const { source, detail } = evidence
  return `by ${sources[source]}${detail === undefined ? '' : `: ${detail}`}`
}
