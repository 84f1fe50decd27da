import type { InboxItemView } from '../../contract/routes/directives.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { formatAge, formatTable, shorten } from '../format.ts'

export interface InboxFlags {
  all?: boolean
}

const header = ['ID', 'HANDLE', 'STATE', 'PRIORITY', 'TYPE', 'FROM', 'AGE', 'TEXT']
const excerptLimit = 60

export const run = async (context: CliContext, flags: InboxFlags & JsonFlag, target?: string): Promise<void> => {
  const { connect, out, cwd, now } = context
  const items = await connect().inbox({ target, cwd: cwd(), all: flags.all })
  if (flags.json) out.document(items)
  else
    out.line(
      items.length === 0
        ? 'No directives.'
        : formatTable(
            header,
            items.map((item) => row(item, now())),
          ),
    )
}

const row = (item: InboxItemView, now: number): string[] => [
  item.id,
  item.handle,
  item.state,
  item.priority,
  item.type,
  shorten(item.from, excerptLimit),
  formatAge(item.at, now),
  shorten(item.excerpt, excerptLimit),
]
