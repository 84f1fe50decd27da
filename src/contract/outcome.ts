// Without schemas: importers of these few values must not load them all.

/** The author of a command that a person ran; for an agent it is the name of its driver. */
export const person = 'person'

/** Longer ones are data, not commands: they are not taken. */
export const longestCommand = 65_536

/** `background`: it was still running when its tool answered. `unknown`: its end was not reported. */
export const outcomes = ['ok', 'failed', 'interrupted', 'background', 'unknown'] as const
export type Outcome = (typeof outcomes)[number]

/** The outcome by the exit code alone. 130: Ctrl-C. */
export const outcomeOf = (exit: number | null): Outcome => {
  if (exit === null) return 'unknown'
  if (exit === 130) return 'interrupted'
  return exit === 0 ? 'ok' : 'failed'
}

/** The remains of a forgotten or excluded command: its id stays known, so that it is not imported again. */
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
