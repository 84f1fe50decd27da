/** In a file of its own, without zod: the command line checks a handle before it asks anybody. */
export const handlePattern = /^[a-z0-9][a-z0-9_-]{0,63}$/
/** Never a path: no dot, no slash. */
export const channelPattern = /^[a-z0-9_-]{1,32}$/
