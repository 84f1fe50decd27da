import { requireSetting } from '../../base/config/lookup.ts'
import { formatValue } from '../../base/config/value.ts'
import { loadItems } from '../settings.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  async (context, _: object, key: string) => {
    const setting = requireSetting(key)
    return (await loadItems(context)).find((each) => each.key === setting.key)
  },
  (item) => (item === undefined || item.value === null ? '' : formatValue(requireSetting(item.key), item.value)),
)
