import type { Outcome } from '../../contract/outcome.ts'
import type { ShellEnd } from '../../drivers/contract.ts'
import { copyText } from '../../base/util/copy-text.ts'

/** A command that was run, wherever that was heard of. What is not known is null. */
export interface RecordedCommand {
  command: string
  /** When it began, milliseconds since 1970. */
  at: number | null
  cwd: string | null
  exit: number | null
  durationMs: number | null
  /** Conversation of an agent, or one shell of a person. */
  session: string | null
  /** `person`, or the driver of the agent. */
  author: string
}

const readEnd = 16_384
const shownEnd = 2_000

/** What is looked at of what a command printed: how it ends, if the command failed. */
export const keptOutput = (outcome: Outcome, output: string | null): string | null =>
  outcome === 'failed' && output !== null ? copyText(output.slice(-readEnd)) : null

/** What is kept of that, once it has no secrets. */
export const shownOutput = (output: string | null): string | null => output?.slice(-shownEnd) ?? null

/** No shell tool waits longer; what took more was a person who was asked. */
const longestMs = 10 * 60_000

/** How long a command took, as its CLI says; what that did not count is taken from what went by. */
export const tookMs = (
  { durationMs, uncountedMs = 0 }: Pick<ShellEnd, 'durationMs' | 'uncountedMs'>,
  began: number | null,
  ended: number | null,
): number | null => {
  const elapsed = elapsedMs(began, ended)
  if (durationMs === null || elapsed === null) return durationMs ?? elapsed
  return Math.min(Math.max(durationMs, elapsed), durationMs + uncountedMs)
}

/** How long a command took at most, where nobody says it: a person who was asked may have taken some of it. */
const elapsedMs = (began: number | null, ended: number | null): number | null =>
  began !== null && ended !== null && began > 0 && ended > began ? Math.min(ended - began, longestMs) : null
