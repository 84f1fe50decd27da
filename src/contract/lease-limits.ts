/** How long a lease is held unless told otherwise, and at most. */
export const usualLeaseMs = 30 * 60_000
export const longestLeaseMs = 24 * 3_600_000
export const shortestLeaseMs = 1_000

/** The longest wait of one request: a client that waits longer asks again. */
export const longestWaitMs = 20_000
