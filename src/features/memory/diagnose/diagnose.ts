import type { ShellLine } from '../../../base/shell/line.ts'
import { explain, type Explanation } from './explain.ts'
import type { Failure } from './failure.ts'
import type { Fix } from './fix.ts'
import type { FixMemory } from './fix-memory.ts'
import { type ErrorSignature, signatureOf } from './signature.ts'

/** All that is known about a failure; every text in it is one bounded line without control characters. */
export interface Diagnosis {
  readonly signature: ErrorSignature
  /** What it usually means, anywhere. */
  readonly explanation: Explanation | undefined
  /** What helped in this project, best first. */
  readonly fixes: readonly Fix[]
}

export function diagnose(failure: Failure, line: ShellLine, memory: Pick<FixMemory, 'fixesFor'>): Diagnosis {
  const signature = signatureOf(failure, line)
  return { signature, explanation: explain(failure), fixes: memory.fixesFor(signature, line) }
}
