import path from 'node:path'
import { checkSetting, setSetting } from '../../base/config/set.ts'
import { requireSetting } from '../../base/config/lookup.ts'
import { formatValue } from '../../base/config/value.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { loadItems } from '../settings.ts'
import { hintRestart, refuseToChange } from './changing.ts'

export const run = async (context: CliContext, { json }: JsonFlag, key: string, value: string): Promise<void> => {
  const { out, paths } = context
  checkSetting(key, value)
  await refuseToChange(context, key)
  // The daemon runs in another directory. A name without a slash is looked up on the PATH.
  const isPath = key.endsWith('.path') && value.includes('/')
  await setSetting(paths().config, key, isPath ? path.resolve(context.cwd(), value) : value)
  const item = (await loadItems(context)).find((each) => each.key === key)
  if (json) out.document(item)
  else out.line(`${key} = ${formatValue(requireSetting(key), item?.value ?? null)} in ${paths().config}`)
  await hintRestart(context)
}
