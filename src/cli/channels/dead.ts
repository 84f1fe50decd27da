import { shortId } from '../../contract/ids.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { formatAge, formatTable, shorten } from '../format.ts'

const header = ['ID', 'CHANNEL', 'FROM', 'AGE', 'ATTEMPTS', 'REASON', 'TEXT']
const textLimit = 50

export const run = async (
  { connect, out, now }: CliContext,
  { retry, json }: { retry?: string } & JsonFlag,
  channel?: string,
): Promise<void> => {
  const client = connect()
  const items = retry === undefined ? await client.dead({ channel }) : [await client.retry({ id: retry })]
  if (json) return out.document(items)
  if (retry !== undefined) return out.line(`${retry} is on its way again.`)
  const rows = items.map((item) => [
    shortId(item.id),
    item.channel,
    item.from?.handle ?? '-',
    formatAge(item.at, now()),
    String(item.attempts),
    shorten(item.reason ?? '', textLimit),
    shorten(item.text, textLimit),
  ])
  out.line(rows.length === 0 ? 'No dead messages.' : formatTable(header, rows, out))
}
