/** In a file of its own, without zod: the command line checks a handle before it asks anybody. */
export const handlePattern = /^[a-z0-9][a-z0-9_-]{0,63}$/
