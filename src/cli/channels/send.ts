import type { ReceivedView, SentView } from '../../contract/routes/channels.ts'
import { ReinError } from '../../contract/errors.ts'
import { shortId } from '../../contract/ids.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { readTextInput } from '../text-input.ts'

type Sent = Omit<ReceivedView, 'state'> & { state: ReceivedView['state'] | SentView['state'] }

export const run = async (
  { connect, out, stdin }: CliContext,
  flags: { from?: string; key?: string; outgoing?: boolean } & JsonFlag,
  name: string,
  given: string,
): Promise<void> => {
  const { from, key, outgoing, json } = flags
  if (outgoing && (from !== undefined || key !== undefined))
    throw new ReinError('usage', '--from and --key are for what comes in, not for --outgoing.')
  const text = await readTextInput(given, stdin)
  const client = connect()
  let sent: Sent
  if (outgoing) {
    const { id, state } = await client.sendOut({ name, text })
    sent = { id, state, agent: null, room: null, reason: null }
  } else sent = await client.receive({ name, content: text, sender: from, key })
  if (json) out.document(sent)
  else out.line(describeSent(sent, name))
}

const describeSent = ({ id: full, state, agent, room, reason }: Sent, name: string): string => {
  const id = shortId(full)
  if (state === 'held') return `${id} is held (${reason}).`
  if (state === 'answered') return `${id} was used as an answer.`
  if (room !== null) return `${id} is in the room ${room}.`
  if (state === 'routed') return `${id} is in the inbox of ${agent}.\nSee what becomes of it: rein receipt ${id}`
  return state === 'written' ? `${id} was written to out.${name}.` : `${id} is stored until a program takes it.`
}
