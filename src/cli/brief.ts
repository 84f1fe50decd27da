/** Connects without starting a daemon, and takes a second at most: a greeting and a request. */
export const briefly = { start: false, timeoutMs: 500 } as const
