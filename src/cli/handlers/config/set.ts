import { setSetting } from '../../../config/set.ts'
import type { CliContext, JsonFlag } from '../../context.ts'
import { loadItems } from '../../settings.ts'

export const run = async (context: CliContext, { json }: JsonFlag, key: string, value: string): Promise<void> => {
  const { out, paths } = context
  await setSetting(paths().config, key, value)
  const item = (await loadItems(context)).find((each) => each.key === key)
  if (json) return out.document(item)
  out.line(`${key} = ${String(item?.value ?? '-')} in ${paths().config}`)
}
