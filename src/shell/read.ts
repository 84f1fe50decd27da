import { isTooDeep } from './flatten.ts'
import { Reader } from './reader.ts'
import type { ReadingContext, ShellReading } from './reading.ts'

/** Nobody reads a longer line before it is run, and neither do we. */
const LONGEST = 65_536

/** Tells which programs a line runs, and with what; never throws. What cannot be told is listed as opaque. */
export function readShell(text: string, context: ReadingContext): ShellReading {
  if (text.length > LONGEST) return { runs: [], opaque: [{ kind: 'too long', text: '' }] }
  // Of the same length, so that places stay where they are.
  const source = text.replaceAll('\r\n', ' \n')
  if (isTooDeep(source)) return { runs: [], opaque: [{ kind: 'too deep', text }] }
  const reader = new Reader(context)
  try {
    reader.read(source)
    return reader.reading
  } catch {
    const { runs, opaque } = reader.reading
    return { runs, opaque: [...opaque, { kind: 'unparsable', text }] }
  }
}
