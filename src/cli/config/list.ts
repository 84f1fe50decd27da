import type { CliContext, JsonFlag } from '../context.ts'
import { formatTable } from '../format.ts'
import { loadItems } from '../settings.ts'

const header = ['KEY', 'VALUE', 'SOURCE', 'VARIABLE']

export const run = async (context: CliContext, { json }: JsonFlag): Promise<void> => {
  const items = await loadItems(context)
  if (json) context.out.document(items)
  else
    context.out.line(
      formatTable(
        header,
        items.map(({ key, value, source, env }) => [key, String(value ?? '-'), source, env]),
      ),
    )
}
