import { formatValue } from '../../base/config/value.ts'
import { requireSetting } from '../../base/config/lookup.ts'
import { formatTable } from '../format.ts'
import { loadItems } from '../settings.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(loadItems, (items, { out }) =>
  formatTable(
    ['KEY', 'VALUE', 'SOURCE', 'VARIABLE'],
    items.map(({ key, value, source, env }) => [key, formatValue(requireSetting(key), value), source, env]),
    { columns: out.columns, optional: ['VARIABLE'] },
  ),
)
