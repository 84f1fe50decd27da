import type { ShellLine } from '../../../base/shell/line.ts'
import { explain, type Explanation } from './explain.ts'
import type { Fix } from './fix.ts'
import type { FixMemory } from './fix-memory.ts'
import { type ErrorSignature, type Failure, signatureOf } from './signature.ts'

/** Everything known about a failure; every text in it is one bounded line without control characters. */
export interface Diagnosis {
  readonly signature: ErrorSignature
  /** Its usual meaning in any project. */
  readonly explanation: Explanation | undefined
  /** Fixes of this project, best first. */
  readonly fixes: readonly Fix[]
}

export const diagnose = (failure: Failure, line: ShellLine, memory: Pick<FixMemory, 'fixesFor'>): Diagnosis => {
  const signature = signatureOf(failure, line)
  return { signature, explanation: explain(failure), fixes: memory.fixesFor(signature, line) }
}
