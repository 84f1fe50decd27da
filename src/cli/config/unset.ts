import { requireSetting } from '../../base/config/lookup.ts'
import { unsetSetting } from '../../base/config/set.ts'
import { formatValue } from '../../base/config/value.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { loadItems } from '../settings.ts'
import { hintRestart, refuseToChange } from './changing.ts'

export const run = async (context: CliContext, { json }: JsonFlag, key: string): Promise<void> => {
  const { out, paths } = context
  const setting = requireSetting(key)
  await refuseToChange(context, key)
  const wasSet = await unsetSetting(paths().config, key)
  const item = (await loadItems(context)).find((each) => each.key === key)
  const what = `${wasSet ? 'was taken out of' : 'is not set in'} ${paths().config}`
  if (json) out.document(item)
  else out.line(`${key} ${what}. It is ${formatValue(setting, item?.value ?? null)}, from: ${item?.source}`)
  if (wasSet) await hintRestart(context)
}
