import type { Findings, Topic } from './measure.ts'
import { checkpoints } from './sessions-checkpoints.ts'
import { lists } from './sessions-lists.ts'
import { turnTimes } from './sessions-turns.ts'

const run = async (): Promise<Findings> => {
  const parts = [await turnTimes(), await lists(), await checkpoints()]
  return {
    head: ['sessions', 'p50', 'p95', 'compared'],
    rows: parts.flatMap(({ rows }) => rows),
    notes: parts.flatMap(({ notes }) => notes),
    goals: parts.flatMap(({ goals }) => goals),
  }
}

export const sessions: Topic = {
  title: 'Sessions: what a turn costs, how long lists take, and what a rewind restores',
  run,
}
