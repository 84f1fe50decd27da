import type { Adapter, MessageDetails } from './sdk/adapter.ts'
import { messageOf } from './sdk/retry.ts'

interface Offered {
  /** Refused for good; or not dealt with, because the adapter ends. */
  state: 'routed' | 'answered' | 'held' | 'refused' | 'ending'
  reason: string | null
}

/** For adapters whose source goes on whatever becomes of one message. */
export const offer = async (adapter: Adapter, text: string, details: MessageDetails): Promise<Offered> => {
  try {
    return await adapter.receive(text, details)
  } catch (cause) {
    return { state: adapter.signal.aborted ? 'ending' : 'refused', reason: messageOf(cause) }
  }
}
