/** How to ask for what nobody may be held up by: two requests, one of which asks who is there, take a second at most. */
export const briefly = { start: false, timeoutMs: 500 } as const
