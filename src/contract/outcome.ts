// Without schemas: whoever only wants to know one thing about commands must not load them all.

/** Who ran a command when it was no agent; else the name of the agent's driver. */
export const person = 'person'

/** Longer ones are data, not commands: they are not taken. */
export const longestCommand = 65_536

/** `background`: it went on when its tool had answered. `unknown`: nobody said how it ended. */
export const outcomes = ['ok', 'failed', 'interrupted', 'background', 'unknown'] as const
export type Outcome = (typeof outcomes)[number]

/** What an exit code alone says. 130: somebody pressed Ctrl-C. */
export const outcomeOf = (exit: number | null): Outcome => {
  if (exit === null) return 'unknown'
  if (exit === 130) return 'interrupted'
  return exit === 0 ? 'ok' : 'failed'
}

/** What is left of a command that was forgotten, or is not to be remembered: it is known that there was one, so that it is not taken in again. */
export const blank = {
  command: '',
  cwd: null,
  exit: null,
  durationMs: null,
  outcome: 'unknown',
  output: null,
  branch: null,
  isDirty: null,
  tools: [] as string[],
  edited: [] as string[],
  secrets: 0,
} as const
