import type { Incoming } from './incoming.ts'
import type { Journal } from '../../contract/logs.ts'
import { redact, redactDeep } from '../../base/redact/redact.ts'

/** Secrets are taken out before anything is kept. */
export const receive = async (
  incoming: Incoming,
  journal: Journal,
  given: Parameters<Incoming['receive']>[0],
): ReturnType<Incoming['receive']> => {
  const { text } = redact(given.text)
  const meta = given.meta === undefined ? {} : (redactDeep(given.meta).value as Record<string, unknown>)
  const sender = given.sender == null ? null : redact(given.sender).text
  const taken = await incoming.receive({ ...given, text, meta, sender })
  const { id, channel, via } = taken.message
  journal.write('message', { message: id, channel, via, length: text.length })
  return taken
}
