import type { FilledSlot } from '../../../base/shell/template.ts'
import type { FailedRun, Ran } from './fix.ts'

/** For each changing word of a fix: which one of the failed command it repeats, or -1 if it is its own. */
export const repeatedSlots = (failed: FailedRun, ran: Ran): readonly number[] =>
  ran.line.slots.map(({ kind, text }) =>
    failed.line.slots.findIndex((slot) => slot.kind === kind && slot.text === text),
  )

/** The fix with the words of the command that failed now in place of those of back then. */
export function fill(
  command: string,
  slots: readonly FilledSlot[],
  repeated: readonly number[],
  now: readonly FilledSlot[],
): string {
  let text = command
  for (const [index, slot] of [...slots.entries()].toReversed()) {
    const value = now[repeated[index] ?? -1]
    if (value === undefined || value.kind !== slot.kind) continue
    text = text.slice(0, slot.pos) + value.text + text.slice(slot.pos + slot.text.length)
  }
  return text
}
