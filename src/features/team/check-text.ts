import { ReinError } from '../../contract/errors.ts'

/** Refuses text that is not valid Unicode, or larger than it may be. */
export const checkText = (text: string, what: 'text' | 'payload', maxBytes: number, hint: string): void => {
  if (/\p{Surrogate}/u.test(text)) throw new ReinError('invalid_text', `The ${what} is not valid Unicode.`)
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes)
    throw new ReinError('text_too_large', `The ${what} has ${bytes} bytes; ${maxBytes} are possible.`, hint)
}
