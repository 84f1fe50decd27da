import type { AnyRecord } from '../../../contract/record.ts'
import type { CliContext, JsonFlag } from '../../context.ts'
import { formatTime, printable } from '../../format.ts'

export interface TailFlags {
  after?: number
  follow?: boolean
}

export const run = async (
  { connect, out, now }: CliContext,
  { after = 0, follow, json }: TailFlags & JsonFlag,
  name: string,
): Promise<void> => {
  for await (const record of connect().tailChannel(name, { after, follow })) {
    if (json) out.record(record)
    else out.line(`${formatTime(record.at, now())} ${lineOf(record)}`)
  }
}

const lineOf = (record: AnyRecord): string => {
  switch (record.type) {
    case 'message.received':
      return `← ${who(record.body.message.sender)}${printable(record.body.message.text)}`
    case 'message.routed':
      return `  ${record.body.message} is in an inbox`
    case 'message.sent':
      return `→ ${who(record.body.outgoing.from?.handle ?? null)}${printable(record.body.outgoing.text)}`
    case 'message.failed':
      return `  ${record.cause} failed (attempt ${record.body.attempt}): ${printable(record.body.reason)}`
    case 'message.dead':
      return `  ${record.cause} is given up: ${printable(record.body.reason)}`
    default:
      return `  ${record.cause} is ${record.type.replace(/^.*\./, '')}`
  }
}

const who = (name: string | null): string => (name === null ? '' : `${printable(name)}: `)
