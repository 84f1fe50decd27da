import type { StoryMoment, StoryTurn } from '../../contract/routes/story.ts'

export const mostFiles = 20
export const mostCommands = 20
const mostEvidence = 4
/** So many moments of the oldest become one. */
const chunkSize = 10

/**
 * At most so many moments: first an agent's turns with nothing else of it between them become one,
 * then the oldest of any kind, but for what a reader looks for first, then those, too.
 */
export const foldMoments = (moments: StoryMoment[], most: number): StoryMoment[] => {
  let folded = moments.length > most ? foldTurns(moments) : moments
  for (const mayFold of [isMinor, () => true])
    while (folded.length > most) {
      const next = foldOldest(folded, mayFold, Math.max(2, folded.length - most))
      if (next.length === folded.length) break
      folded = next
    }
  return folded
}

const isMinor = (moment: StoryMoment): boolean =>
  !isOpen(moment) && moment.kind !== 'task' && moment.kind !== 'decision' && moment.tone === 'plain'

const foldTurns = (moments: readonly StoryMoment[]): StoryMoment[] => {
  const last = new Map<string, StoryMoment>()
  const kept: StoryMoment[] = []
  for (const moment of moments) {
    const before = moment.agent === null ? undefined : last.get(moment.agent)
    if (before !== undefined && isOver(before) && isOver(moment)) merge(before, moment)
    else {
      kept.push(moment)
      if (moment.agent !== null) last.set(moment.agent, moment)
    }
  }
  return kept
}

/** A turn that goes on is still being told. */
const isOver = ({ kind, until }: StoryMoment): boolean => kind === 'turn' && until !== null
const isOpen = ({ kind, until }: StoryMoment): boolean => kind === 'turn' && until === null

/** Runs of neighbours become one each, until so many are saved. */
const foldOldest = (
  moments: readonly StoryMoment[],
  mayFold: (moment: StoryMoment) => boolean,
  tooMany: number,
): StoryMoment[] => {
  const kept: StoryMoment[] = []
  let [run, saved] = [0, 0]
  for (const moment of moments) {
    const before = kept.at(-1)
    const isRun = run > 0 && run < chunkSize && saved < tooMany
    if (before !== undefined && isRun && mayFold(moment) && !isOpen(moment)) {
      // A copy: the first moment may still be waiting for its outcome.
      const agent = before.agent === moment.agent ? before.agent : null
      const more: StoryMoment = { ...before, agent, kind: 'more', tone: 'plain', outcome: null, why: null }
      merge(more, moment)
      more.text = `${more.count} moments that are not told one by one`
      kept[kept.length - 1] = more
      run += 1
      saved += 1
    } else {
      kept.push(moment)
      run = mayFold(moment) && !isOpen(moment) ? 1 : 0
    }
  }
  return kept
}

const merge = (into: StoryMoment, one: StoryMoment): void => {
  into.count += one.count
  into.until = Math.max(into.until ?? into.at, one.until ?? one.at)
  into.evidence = [...into.evidence, ...one.evidence].slice(0, mostEvidence)
  into.turn = added(into.turn, one.turn)
}

const added = (one: StoryTurn | null, other: StoryTurn | null): StoryTurn | null => {
  if (one === null || other === null) return one ?? other
  return {
    files: [...new Set([...one.files, ...other.files])].slice(0, mostFiles),
    fileCount: one.fileCount + other.fileCount,
    commands: [...one.commands, ...other.commands].slice(0, mostCommands),
    commandCount: one.commandCount + other.commandCount,
    failedCount: one.failedCount + other.failedCount,
    allowedCount: one.allowedCount + other.allowedCount,
    reply: other.reply ?? one.reply,
    inputTokens: one.inputTokens + other.inputTokens,
    cacheTokens: one.cacheTokens + other.cacheTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    costUsd: one.costUsd === null && other.costUsd === null ? null : (one.costUsd ?? 0) + (other.costUsd ?? 0),
    model: other.model ?? one.model,
  }
}
