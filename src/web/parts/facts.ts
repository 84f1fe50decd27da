import type { Evidence } from '../../contract/identity.ts'
import type { AgentView } from '../../contract/routes/agents.ts'
import { timeText } from './time.ts'

/** `$1.25`; what is less than a cent has its digits. */
export const costText = (priced: { costUsd?: number | null | undefined } | null | undefined): string => {
  const usd = priced?.costUsd ?? null
  return usd === null ? '' : `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`
}

/** `950`, `12.3k`, `200k`, `1.3M`. */
export const shortCount = (count: number): string => {
  if (count < 1_000) return String(count)
  const [size, unit] = count < 999_950 ? ([1_000, 'k'] as const) : ([1_000_000, 'M'] as const)
  return `${(count / size).toFixed(1).replace(/\.0$/, '')}${unit}`
}

/** What is wrong with an agent beside its state, one line each. */
export const troublesOf = (agent: AgentView, now: number): string[] => {
  const { state, health, weakened, wake, pauseReason, until, pid } = agent
  return [
    pauseReason === null ? '' : `Rein has paused it: ${pauseReason}`,
    state === 'limited' && until !== null ? `a usage limit, until ${timeText(until, now)}` : '',
    state === 'crashed' && until !== null ? `starts again at ${timeText(until, now)}` : '',
    pid !== null && health.hooks === 'silent' ? 'its hooks are silent: nothing reaches it while it works' : '',
    pid !== null && health.failures > 0 ? `${health.failures} wakes in a row had no effect` : '',
    state === 'idle' && wake === 'none' ? 'it cannot be woken until its next turn' : '',
    ...weakened.map((what) => `rules and guards may not apply: ${what}`),
  ].filter(Boolean)
}

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
