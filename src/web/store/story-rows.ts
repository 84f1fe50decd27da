import type { StoryMoment, StoryTurn } from '../../contract/routes/story.ts'
import { costText, shortCount } from '../parts/facts.ts'
import { startOfDay } from '../parts/time.ts'

interface StoryDay {
  day: number
  moments: readonly StoryMoment[]
}

/** Days begin where the reader is. */
export const groupByDay = (moments: readonly StoryMoment[]): StoryDay[] => {
  const days: { day: number; moments: StoryMoment[] }[] = []
  for (const moment of moments) {
    const day = startOfDay(moment.at)
    const last = days.at(-1)
    if (last?.day === day) last.moments.push(moment)
    else days.push({ day, moments: [moment] })
  }
  return days
}

/** `900 ms`, `2.5 s`, `3 min`, `2 h 5 min`. */
export const tookText = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

type Used = Pick<StoryTurn, 'inputTokens' | 'cacheTokens' | 'outputTokens'>
export const tokensOf = ({ inputTokens, cacheTokens, outputTokens }: Used): number =>
  inputTokens + cacheTokens + outputTokens

const listed = (items: readonly string[], count: number): string =>
  `${items.join(', ')}${count > items.length ? ` and ${count - items.length} more` : ''}`

/** What a turn did, a line for each kind. */
export const turnLines = (turn: StoryTurn): string[] => {
  const { files, fileCount, commands, commandCount, allowedCount, reply } = turn
  const ran = commands.map(({ command, outcome, exit }) => {
    const end = outcome === 'failed' && exit !== null ? `failed: ${exit}` : outcome
    return outcome === 'ok' ? command : `${command} (${end})`
  })
  return [
    fileCount > 0 ? `changed ${listed(files, fileCount)}` : '',
    commandCount > 0 ? `ran ${listed(ran, commandCount)}` : '',
    allowedCount > 0 ? `was allowed ${allowedCount} calls without asking` : '',
    reply === null || reply === '' ? '' : `said: ${reply}`,
    [tokensOf(turn) > 0 ? `${shortCount(tokensOf(turn))} tokens` : '', costText(turn)]
      .filter((part) => part !== '')
      .join(', '),
  ].filter((line) => line !== '')
}
