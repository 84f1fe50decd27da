import type { SnapshotCause, SnapshotRef } from '../contract/session.ts'

/** One prompt and all that was done until the agent stopped, with the files before and after. */
export interface Turn {
  session: string
  conversation: string
  /** The entry of its prompt. */
  turn: string
  /** How many turns lead to it, itself included: turn 3 of one branch and turn 3 of another are two turns. */
  n: number
  /** The turn before it, in this or another conversation; null for a first one. */
  parent: { conversation: string; turn: string } | null
  agent: string
  prompt: string
  startedAt: number
  endedAt: number | null
  /** The entry with which it ended. */
  leaf: string | null
  reason: string | null
  model: string | null
  costUsd: number | null
}

export interface TakenSnapshot {
  conversation: string
  cause: SnapshotCause
  at: number
  root: string
  snapshot: SnapshotRef
}

export interface Files {
  before: SnapshotRef | null
  after: SnapshotRef | null
}

/** The CLI writes the time of a prompt about when its hook is called: which comes first is chance. */
const slackMs = 1500

/** Which snapshots show the files before and after each turn of one conversation; both in the order of time. */
export const placeSnapshots = (turns: readonly Turn[], snapshots: readonly TakenSnapshot[]): Map<string, Files> => {
  const placed = new Map<string, Files>()
  for (const [index, { turn, startedAt }] of turns.entries()) {
    const previous = turns[index - 1]
    const next = turns[index + 1]
    const before = snapshots.findLast(
      ({ cause, at }) => cause === 'prompt' && at <= startedAt + slackMs && at > (previous?.startedAt ?? 0) + slackMs,
    )
    const begin = before?.at ?? startedAt
    const end = nextPrompt(snapshots, begin) ?? next?.startedAt ?? Number.POSITIVE_INFINITY
    const after = snapshots.findLast(({ cause, at }) => isWork(cause) && at >= begin && at < end)
    placed.set(turn, { before: before?.snapshot ?? null, after: after?.snapshot ?? null })
  }
  return placed
}

const isWork = (cause: SnapshotCause): boolean => cause === 'tool' || cause === 'stop'

const nextPrompt = (snapshots: readonly TakenSnapshot[], after: number): number | undefined =>
  snapshots.find(({ cause, at }) => cause === 'prompt' && at > after)?.at
