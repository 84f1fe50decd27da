import { OverBudget, WorkBudget } from '../util/work-budget.ts'
import { isTooDeep } from './parsing.ts'
import { Reader } from './reader.ts'
import type { OpaqueKind, ReadingContext, ShellReading } from './reading.ts'

/** Nobody reads a longer line before it is run, and neither do we. */
const LONGEST = 65_536
/** What reading one line may cost: more than any line costs that somebody writes to get something done, also one of 60 KB. */
export const LINE_UNITS = 1_000_000

/** Tells which programs a line runs, and with what; never throws. What cannot be told is listed as opaque. */
export function readShell(text: string, context: ReadingContext, work = new WorkBudget(LINE_UNITS)): ShellReading {
  if (text.length > LONGEST) return unread('too long', '')
  // Of the same length, so that places stay where they are.
  const source = text.replaceAll('\r\n', ' \n')
  if (isTooDeep(source)) return unread('too deep', text)
  const reader = new Reader(context, work)
  try {
    reader.read(source)
    return reader.reading
  } catch (error) {
    // What was found until then is left out: it may be as much as the budget allows, for all who look at it next.
    if (error instanceof OverBudget) return unread('too costly', text)
    const { runs, opaque } = reader.reading
    return { runs, opaque: [...opaque, { kind: 'unparsable', text }] }
  }
}

/** A line of which nothing was read. */
export const unread = (kind: OpaqueKind, text: string): ShellReading => ({ runs: [], opaque: [{ kind, text }] })
