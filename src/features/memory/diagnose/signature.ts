import type { ShellLine } from '../../../base/shell/line.ts'
import { blur } from './blur.ts'
import { essentialLine } from './essential.ts'
import type { Failure } from './failure.ts'
import { oneLine, plainOutput } from './plain.ts'

/** The same for the same error, whenever and wherever it happens. */
export interface ErrorSignature {
  readonly key: string
  /** Program and subcommand that failed. */
  readonly stub: string
  readonly exit: number | null
  /** What went wrong, as it was printed, fit to be shown. */
  readonly line: string
}

const LONGEST_STUB = 60
const LONGEST_LINE = 200

export function signatureOf(failure: Failure, { stub }: Pick<ShellLine, 'stub'>): ErrorSignature {
  const line = oneLine(essentialLine(plainOutput(failure.output)), LONGEST_LINE)
  const name = oneLine(stub, LONGEST_STUB)
  return { key: `${name} | ${failure.exit ?? '?'} | ${blur(line)}`, stub: name, exit: failure.exit, line }
}
