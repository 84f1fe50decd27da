import { formatAge, formatTable, shorten } from '../format.ts'
import { showAnswer } from '../show-answer.ts'

const header = ['ID', 'HANDLE', 'STATE', 'PRIORITY', 'TYPE', 'FROM', 'AGE', 'TEXT']
const excerptLimit = 60

export const run = showAnswer(
  ({ connect, cwd }, { all }: { all?: boolean }, target?: string) => connect().inbox({ target, cwd: cwd(), all }),
  (items, { now }) => {
    const rows = items.map(({ id, handle, state, priority, type, from, at, excerpt }) => [
      id,
      handle,
      state,
      priority,
      type,
      shorten(from, excerptLimit),
      formatAge(at, now()),
      shorten(excerpt, excerptLimit),
    ])
    return rows.length === 0 ? 'No directives.' : formatTable(header, rows)
  },
)
