/** With 403 a server refuses what was asked, not who asks, although Claude Code calls both a failed authentication. */
const refused = /\bAPI Error: 403\b/

/** What Claude Code says of itself, where that is that nobody is logged in; an error of a server has another name. */
export const findLoggedOut = (error: unknown, message: string): string | null =>
  error === 'authentication_failed' && !refused.test(message) ? message : null
