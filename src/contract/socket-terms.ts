/** Where the page connects. */
export const socketPath = '/v1/socket'

/** What a device signs to be let in: for this origin and this challenge only. */
export const signedText = (origin: string, challenge: string): string => `rein web 1\n${origin}\n${challenge}`

/** Lines of a stream that are sent before the client grants more. */
export const firstCredit = 64

/** A frame from the client. */
export const maxFrameBytes = 1024 * 1024

/** The close codes of the socket: not let in, or not any more; and too slow to read. */
export const closeCodes = { refused: 4401, stuck: 4408, ending: 1001 } as const
