/** Where the page connects. */
export const socketPath = '/v1/socket'

/** What a device signs to be let in: for this origin and this challenge only. */
export const signedText = (origin: string, challenge: string): string => `rein web 1\n${origin}\n${challenge}`

/** What a device signs to be paired: a public key alone, which others may have seen, changes nothing of its device. */
export const pairingText = (origin: string, code: string): string => `rein pair 1\n${origin}\n${code}`

/** Lines of a stream that are sent before the client grants more. */
export const firstCredit = 64

/** A frame from the client. */
export const maxFrameBytes = 1024 * 1024

/** All that a client sends before it is let in: one upgrade and one small frame. Any program of this machine can be one. */
export const maxUnknownBytes = 8 * 1024
/** How many of them wait to be let in; a further one takes the place of the oldest. */
export const maxUnknown = 32

/** Pages of one device that are connected at a time; a further one takes the place of the oldest. */
export const maxPages = 32

/** The close codes of the socket: not let in, or not any more; and the daemon ends, or lets the page in anew. */
export const closeCodes = { refused: 4401, ending: 1001 } as const
