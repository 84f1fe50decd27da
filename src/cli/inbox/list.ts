import { nameFor } from '../../contract/person.ts'
import { shortId } from '../../contract/ids.ts'
import { formatAge, formatTable, shorten } from '../format.ts'
import { showAnswer } from '../show-answer.ts'

const header = ['ID', 'HANDLE', 'STATE', 'PRIORITY', 'TYPE', 'FROM', 'AGE', 'TEXT']
const nameLimit = 60
const excerptLimit = 120

export const run = showAnswer(
  ({ connect, cwd }, { all }: { all?: boolean }, target?: string) => connect().inbox({ target, cwd: cwd(), all }),
  (items, { now, out }) => {
    const rows = items.map(({ id, handle, state, priority, type, from, at, excerpt }) => [
      shortId(id),
      handle,
      state,
      priority,
      type,
      shorten(nameFor(out, from), nameLimit),
      formatAge(at, now()),
      shorten(excerpt, excerptLimit),
    ])
    return rows.length === 0
      ? 'No directives.'
      : formatTable(header, rows, { columns: out.columns, optional: ['TYPE', 'PRIORITY'] })
  },
)
