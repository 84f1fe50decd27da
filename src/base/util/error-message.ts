/** The message of anything that was thrown. */
export const errorMessage = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
