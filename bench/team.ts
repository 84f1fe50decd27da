import type { Findings, Topic } from './measure.ts'
import { placing } from './team-delivery.ts'
import { posting } from './team-posts.ts'
import { unreadOfMany } from './team-unread.ts'

const run = async (): Promise<Findings> => {
  const parts = [await posting(), await unreadOfMany(), await placing()]
  return {
    head: ['a team', 'per second', 'p50', 'p95', 'p99', 'compared'],
    rows: parts.flatMap(({ rows }) => rows),
    notes: parts.flatMap(({ notes }) => notes),
    goals: parts.flatMap(({ goals }) => goals),
  }
}

export const team: Topic = { title: 'A team: posting, unread, and how soon others have it', run }
