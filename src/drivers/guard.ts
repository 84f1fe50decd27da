/** Its name in the directory of Rein's programs, and among what a launched agent is pointed at. */
export const guardProgram = 'rein-guard'

/** Variables by which a shell, before its first line, runs something else than it was asked to; empty ones do nothing. */
export const steering = ['BASH_ENV', 'ENV', 'LD_AUDIT', 'LD_LIBRARY_PATH', 'LD_PRELOAD'] as const

/** It has its own, much shorter deadlines. A CLI that ends it before those would let the tool run. */
export const guardTimeoutSeconds = 60

/**
 * The hook of a launched agent before each tool, beside the one that delivers. It is there from the start, so that rules
 * which are added later bind it, too. One that is gone denies. `program` is a word of a shell.
 */
export const guardCommand = (program: string, driver: string, event: string): string =>
  `if [ -x ${program} ]; then exec ${program} ${driver} ${event}; else exit 2; fi`
