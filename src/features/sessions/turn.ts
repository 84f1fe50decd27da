import type { z } from 'zod'
import type { Skipped, SnapshotCause, SnapshotRef } from '../../contract/session.ts'

/** One prompt and everything the agent did until it stopped. */
export interface Turn {
  session: string
  conversation: string
  /** The entry of its prompt. */
  turn: string
  /** Its depth in the tree, from 1: each branch has its own turn 3. */
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
  /** The log position of its start. */
  seq: number
}

export interface TakenSnapshot {
  conversation: string
  cause: SnapshotCause
  at: number
  /** No tool ran while it was taken. */
  isClean: boolean
  root: string
  snapshot: SnapshotRef
  skipped: z.infer<typeof Skipped>[]
}

export interface Files {
  before: TakenSnapshot | null
  after: TakenSnapshot | null
}

/** The CLI notes the time of a prompt at about the moment it calls the hook, before or after. */
const slackMs = 1500

/** Finds the snapshots before and after each turn of one conversation; both lists are in the order of time. */
export const placeSnapshots = (turns: readonly Turn[], snapshots: readonly TakenSnapshot[]): Map<string, Files> => {
  const prompts = matchPrompts(turns, snapshots)
  const work = snapshots.filter(({ cause }) => cause !== 'prompt')
  const placed = new Map<string, Files>()
  for (const [index, { turn, startedAt }] of turns.entries()) {
    const next = turns[index + 1]
    const begin = prompts[index]?.at ?? startedAt
    const end = prompts[index + 1]?.at ?? next?.startedAt ?? Number.POSITIVE_INFINITY
    // Binary search: a session may have very many snapshots.
    let [low, high] = [0, work.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((work[middle]?.at ?? 0) < end) low = middle + 1
      else high = middle
    }
    const last = work[low - 1]
    placed.set(turn, { before: prompts[index] ?? null, after: last !== undefined && last.at >= begin ? last : null })
  }
  return placed
}

/** For each turn the prompt snapshot nearest to its start, unless another turn is nearer to that snapshot. */
const matchPrompts = (turns: readonly Turn[], snapshots: readonly TakenSnapshot[]): (TakenSnapshot | undefined)[] => {
  const found: (TakenSnapshot | undefined)[] = turns.map(() => undefined)
  const distance = (index: number, { at }: TakenSnapshot): number =>
    Math.abs((turns[index]?.startedAt ?? Number.POSITIVE_INFINITY) - at)
  let index = 0
  for (const one of snapshots.filter(({ cause }) => cause === 'prompt')) {
    while (distance(index + 1, one) < distance(index, one)) index += 1
    const known = found[index]
    const isNearer = known === undefined || distance(index, one) < distance(index, known)
    if (isNearer && distance(index, one) <= slackMs) found[index] = one
  }
  return found
}
