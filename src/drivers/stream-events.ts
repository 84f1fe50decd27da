export const activity = { kind: 'activity' } as const

/** The state that a line of a headless CLI proves. */
export const streamState = (state: 'working' | 'idle' | 'limited', detail: string) => ({
  kind: 'state' as const,
  state,
  evidence: { source: 'stream' as const, detail },
  question: null,
})
