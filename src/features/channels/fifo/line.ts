import { isObject, parseObject, textOf } from '../../../base/util/json.ts'
import { claimedTime } from '../channel.ts'

/** The content of one line. It names no sender: only the endpoint can know that, and a FIFO does not. */
export interface FifoMessage {
  text: string
  /** The sender's word for when, in milliseconds. */
  claimedAt: number | null
  meta: Record<string, unknown>
  sender: null
}

/** A write of more may be torn apart by the writes of others (PIPE_BUF of Linux); with the line's end. */
export const maxLineBytes = 4096

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text of a line without its end; null if it is not UTF-8. A mark of the byte order goes, and the half of CRLF that is left. */
export const decodeLine = (bytes: Uint8Array): string | null => {
  try {
    return utf8.decode(bytes).replace(/\r$/, '')
  } catch {
    return null
  }
}

/** A JSON object with `content`; whatever else a line may be is plain text. */
export const parseLine = (line: string): FifoMessage => {
  const given = line.startsWith('{') ? parseObject(line) : null
  const content = textOf(given?.['content'])
  // Half of a surrogate pair can be written in JSON, but not stored.
  if (given === null || content === null || /\p{Surrogate}/u.test(content)) return messageOf(line, null, {})
  const meta = given['meta']
  return messageOf(content, claimedTime(given['ts']), isObject(meta) ? meta : {})
}

/** The line, without its end, that `parseLine` reads as this text: the text itself wherever that is possible. */
export const formatLine = (text: string): string =>
  /^[{\ufeff]|\n|\r$/.test(text) ? JSON.stringify({ content: text }) : text

const messageOf = (text: string, claimedAt: number | null, meta: FifoMessage['meta']): FifoMessage => ({
  text,
  claimedAt,
  meta,
  sender: null,
})
