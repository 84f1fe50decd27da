import { ReinError } from '../../contract/errors.ts'
import { channelsText } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'

interface CreateFlags {
  human?: boolean
  keep?: boolean
  sender?: readonly string[]
  anyone?: boolean
}

export const run = async ({ connect, out }: CliContext, flags: CreateFlags & JsonFlag, name: string): Promise<void> => {
  const { human, keep, sender = [], anyone, json } = flags
  if (anyone && sender.length > 0) throw new ReinError('usage', 'Give --sender or --anyone, not both.')
  const senders = anyone ? null : sender.length > 0 ? [...sender] : undefined
  const client = connect()
  const created = await client.createChannel({ name, isHuman: human, isKept: keep, senders })
  if (json) return out.document(created)
  const { fallback } = await client.channels()
  out.line(channelsText({ channels: [created], unused: [], fallback }))
}
