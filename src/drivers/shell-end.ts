import { outcomeOf } from '../contract/outcome.ts'
import type { ShellEnd } from './contract.ts'

/** How a command with this exit code ended; unknown without one. */
export const endedWith = (exit: number | null, output: string, durationMs: number | null = null): ShellEnd => ({
  outcome: outcomeOf(exit),
  exit,
  durationMs,
  output,
})

export const interrupted = (output: string, durationMs: number | null = null): ShellEnd => ({
  outcome: 'interrupted',
  exit: null,
  durationMs,
  output,
})

/** It goes on: how it will end is not known. */
export const inBackground = (output: string, durationMs: number | null = null): ShellEnd => ({
  outcome: 'background',
  exit: null,
  durationMs,
  output,
})
