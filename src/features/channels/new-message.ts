import type { Message, MessageVia } from '../../contract/channel.ts'
import { ReinError } from '../../contract/errors.ts'
import { deriveId } from '../../base/util/derived-id.ts'

/** A message as an endpoint hands it in. */
export interface NewMessage {
  channel: string
  text: string
  via: MessageVia
  sender?: string | null | undefined
  claimedAt?: number | null | undefined
  meta?: Record<string, unknown> | undefined
  /** A message that comes again with the same key is the same message. */
  key?: string | undefined
}

/** In `meta`: how a service numbers what it delivers, which it does not sign. The same message under another number is a copy. */
export const deliveryField = 'delivery'

/** A signed request can be recorded and sent again under any id. */
export const notCopied = (known: Message, again: Message): Message => {
  if (known.meta[deliveryField] === again.meta[deliveryField]) return known
  throw new ReinError('refused', `This was delivered before, as ${known.id}: a copy is not taken.`)
}

export const checkText = (text: string, maxBytes: number): void => {
  if (text.trim() === '') throw new ReinError('empty_text', 'There is no text in the message.')
  if (/\p{Surrogate}/u.test(text)) throw new ReinError('invalid_text', 'The text is not valid Unicode.')
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes)
    throw new ReinError(
      'text_too_large',
      `The text has ${bytes} bytes; ${maxBytes} are possible.`,
      'Put it into a file and send its path.',
    )
}

/** `senders` are those who may; null: everybody. */
export const checkSender = (channel: string, sender: string | null, senders: readonly string[] | null): void => {
  if (senders === null || (sender !== null && senders.includes(sender))) return
  throw new ReinError('forbidden', `${sender ?? 'A sender without a name'} may not write to ${channel}.`)
}

export const keyedId = (channel: string, key: string): string => deriveId('msg', `${channel}\0${key}`)
