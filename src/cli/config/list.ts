import { formatTable } from '../format.ts'
import { loadItems } from '../settings.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(loadItems, (items) =>
  formatTable(
    ['KEY', 'VALUE', 'SOURCE', 'VARIABLE'],
    items.map(({ key, value, source, env }) => [key, String(value ?? '-'), source, env]),
  ),
)
