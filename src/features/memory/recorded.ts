import type { Outcome } from '../../contract/outcome.ts'
import type { ShellEnd } from '../../drivers/contract.ts'
import { copyText } from '../../base/util/copy-text.ts'

/** A command that ran, from any source. Unknown fields are null. */
export interface RecordedCommand {
  command: string
  /** Its start, milliseconds since 1970. */
  at: number | null
  cwd: string | null
  exit: number | null
  durationMs: number | null
  /** Conversation of an agent, or one shell of a person. */
  session: string | null
  /** `person`, or the driver of the agent. */
  author: string
}

const longestRead = 16_384
const longestShown = 2_000

/** The end of the output of a failed command: only this is looked at. */
export const keptOutput = (outcome: Outcome, output: string | null): string | null =>
  outcome === 'failed' && output !== null ? copyText(output.slice(-longestRead)) : null

/** The part that is stored, once it has no secrets. */
export const shownOutput = (output: string | null): string | null => output?.slice(-longestShown) ?? null

/** No shell tool waits longer; the rest is a person's time to answer. */
const longestMs = 10 * 60_000

/**
 * The duration that the CLI reports; time that the CLI did not count is taken from the elapsed time. The elapsed time may
 * include the wait for a person's answer.
 */
export const tookMs = (
  { durationMs, uncountedMs = 0 }: Pick<ShellEnd, 'durationMs' | 'uncountedMs'>,
  began: number | null,
  ended: number | null,
): number | null => {
  const isTimed = began !== null && ended !== null && began > 0 && ended > began
  const elapsed = isTimed ? Math.min(ended - began, longestMs) : null
  if (durationMs === null || elapsed === null) return durationMs ?? elapsed
  return Math.min(Math.max(durationMs, elapsed), durationMs + uncountedMs)
}
