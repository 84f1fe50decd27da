import { z } from 'zod'
import { ReceiveOutput } from '../routes/channels.ts'

/** The result of `rein channel send`. */
export const SendOutput = ReceiveOutput.extend({
  state: z
    .enum(['routed', 'answered', 'held', 'written', 'kept'])
    .describe('came in: in an inbox or a room, or held; went out: written to a FIFO or kept'),
})
