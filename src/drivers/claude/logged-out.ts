/** What Claude Code says of itself, where that is that nobody is logged in; an error of a server has another name. */
export const findLoggedOut = (error: unknown, message: string): string | null =>
  error === 'authentication_failed' ? message : null
