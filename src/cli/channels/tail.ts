import type { AnyRecord } from '../../contract/record.ts'
import { shortId } from '../../contract/ids.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { formatTime, indented, printable, shorten } from '../format.ts'

export const run = async (
  { connect, out, now }: CliContext,
  { after = 0, follow, json }: { after?: number; follow?: boolean } & JsonFlag,
  name: string,
): Promise<void> => {
  for await (const record of connect().tailChannel({ name, after, follow })) {
    if (json) out.record(record)
    else out.line(`${formatTime(record.at, now())} ${lineOf(record)}`)
  }
}

const lineOf = (record: AnyRecord): string => {
  switch (record.type) {
    case 'message.received':
      return `← ${who(record.body.message.sender)}${indented(record.body.message.text)}`
    case 'message.routed':
      return `  ${shortId(record.body.message)} is in ${record.body.room === undefined ? 'an inbox' : `the room ${record.body.room}`}`
    case 'message.answered':
    case 'message.dropped':
      return `  ${shortId(record.body.message)} is ${record.type.replace('message.', '')}`
    case 'message.sent':
      return `→ ${who(record.body.outgoing.from?.handle ?? null)}${indented(record.body.outgoing.text)}`
    case 'message.failed':
      return `  ${shortId(record.cause ?? '')} failed (attempt ${record.body.attempt}): ${shorten(record.body.reason, 200)}`
    case 'message.skipped':
      return `  ${shortId(record.cause ?? '')} is sent to nobody: ${shorten(record.body.reason, 200)}`
    case 'message.dead':
      return `  ${shortId(record.cause ?? '')} is given up: ${shorten(record.body.reason, 200)}`
    default:
      return `  ${shortId(record.cause ?? '')} is ${record.type.replace(/^.*\./, '')}`
  }
}

const who = (name: string | null): string => (name === null ? '' : `${printable(name)}: `)
