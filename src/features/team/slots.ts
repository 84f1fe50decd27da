import { createHash } from 'node:crypto'

/** Its time is divided into slots, from its creation on. */
interface SlotOwner {
  key: string
  createdAt: number
}

interface Slot {
  /** When it would begin without jitter: its name. */
  slot: number
  dueAt: number
  /** When the one before it was due. */
  previousAt: number
  nextAt: number
}

const longestJitterMs = 120_000

/** The slot that is due now: the newest one, however many were missed; `null` before the first. */
export const slotAt = (owner: SlotOwner, intervalMs: number, now: number): Slot | null => {
  // One ahead, because jitter may have brought it forward.
  for (let index = Math.floor((now - owner.createdAt) / intervalMs) + 1; index >= 1; index -= 1)
    if (dueAt(owner, intervalMs, index) <= now)
      return {
        slot: owner.createdAt + index * intervalMs,
        dueAt: dueAt(owner, intervalMs, index),
        previousAt: dueAt(owner, intervalMs, index - 1),
        nextAt: dueAt(owner, intervalMs, index + 1),
      }
  return null
}

/** When there is something to look at again. */
export const nextDue = (owner: SlotOwner, intervalMs: number, now: number): number =>
  slotAt(owner, intervalMs, now)?.nextAt ?? dueAt(owner, intervalMs, 1)

/** The first slot is never early: no one is asked before a whole interval has passed. */
const dueAt = ({ key, createdAt }: SlotOwner, intervalMs: number, index: number): number => {
  if (index === 0) return createdAt
  const slot = createdAt + index * intervalMs
  // From -1 to 1, and the same for every daemon that computes it.
  const spread = createHash('sha256').update(`${key} ${slot}`).digest().readInt32BE() / 2 ** 31
  const jitter = Math.round(spread * Math.min(longestJitterMs, intervalMs / 4))
  return slot + (index === 1 ? Math.abs(jitter) : jitter)
}
