import { requireSetting } from '../../base/config/lookup.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { loadItems } from '../settings.ts'

export const run = async (context: CliContext, { json }: JsonFlag, key: string): Promise<void> => {
  const setting = requireSetting(key)
  const item = (await loadItems(context)).find((each) => each.key === setting.key)
  if (json) context.out.document(item)
  else context.out.line(String(item?.value ?? ''))
}
