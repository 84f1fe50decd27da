import type { Run } from './model.ts'

const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const frameMs = 100

export const spinner = (now: number): string => frames[Math.floor(now / frameMs) % frames.length] ?? ''

/** `950`, `1.2k`, `12k`, `1.2M`. */
const shortCount = (count: number): string => {
  const [divisor, unit] = count < 1_000_000 ? [1_000, 'k'] : [1_000_000, 'M']
  if (count < 1_000) return String(count)
  return `${(count / divisor).toFixed(count < 10 * divisor ? 1 : 0)}${unit}`
}

/** In whole seconds: `12s`, `3m 05s`. */
const elapsed = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`
}

const costText = (usd: number): string => `$${usd.toFixed(usd < 1 ? 4 : 2)}`

/** How long the turn takes, what it has read and written so far, and what it and the conversation cost. */
export const statusNumbers = (run: Run, now: number): string[] => {
  const { usage, costUsd, costBefore } = run
  const input = (usage?.inputTokens ?? 0) + (usage?.cacheTokens ?? 0)
  return [
    /^(idle|starting)$/.test(run.state) ? '' : elapsed(now - run.since),
    input === 0 ? '' : `${shortCount(input)} in`,
    usage === null || usage.outputTokens === 0 ? '' : `${shortCount(usage.outputTokens)} out`,
    costUsd === null ? '' : costText(costUsd - costBefore),
    costUsd === null || costBefore === 0 ? '' : `${costText(costUsd)} in all`,
  ].filter((number) => number !== '')
}
