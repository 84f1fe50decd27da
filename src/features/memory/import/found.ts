import type { Outcome } from '../../../contract/outcome.ts'
import { person } from '../../../contract/outcome.ts'
import type { RecordedCommand } from '../recorded.ts'

/** A command that was found in a history. */
export interface Found extends RecordedCommand {
  outcome: Outcome
  /** What it printed, as far as that is known. */
  output: string | null
  /** By what its own history knows it; null where commands have no names. */
  key: string | null
}

/** What a person's history file knows. */
export const fromHistory = (command: string, at: number | null = null, durationMs: number | null = null): Found => ({
  command,
  at,
  cwd: null,
  exit: null,
  durationMs,
  session: null,
  author: person,
  outcome: 'unknown',
  output: null,
  key: null,
})
