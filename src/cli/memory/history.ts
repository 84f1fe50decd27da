import { ReinError } from '../../contract/errors.ts'
import type { HistoryRequest } from '../../contract/routes/memory.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { historyText } from './text.ts'

export interface HistoryFlags {
  all?: boolean
  ok?: boolean
  failed?: boolean
  exit?: number
  author?: string
  mine?: boolean
  since?: number
  until?: number
  limit?: number
}

const usualLimit = 50

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { ok, failed, exit, mine, author, limit = usualLimit, json, ...times }: HistoryFlags & JsonFlag,
  ...text: string[]
): Promise<void> => {
  if (mine && author !== undefined) throw new ReinError('usage', 'Give only one of --mine and --author.')
  const filters = { author: mine ? 'person' : author, ...times }
  const input = { cwd: cwd(), text: text.join(' '), exit: endingOf({ ok, failed, exit }), limit, ...filters }
  const found = await connect().history(input)
  if (json) out.document(found)
  else out.line(historyText(found, { now: now(), cwd: cwd(), limit, ...breadthOf(input) }, out.style))
}

const breadthOf = ({ cwd: _cwd, limit: _limit, all, text, ...filters }: HistoryRequest) => ({
  isAll: all === true,
  isFiltered: text !== '' || Object.values(filters).some((value) => value !== undefined),
})

const endingOf = ({
  ok,
  failed,
  exit,
}: Pick<HistoryFlags, 'ok' | 'failed' | 'exit'>): 'ok' | 'failed' | number | undefined => {
  const given = [ok ? ('ok' as const) : undefined, failed ? ('failed' as const) : undefined, exit]
  const endings = given.filter((each) => each !== undefined)
  if (endings.length > 1) throw new ReinError('usage', 'Give only one of --ok, --failed and --exit.')
  return endings[0]
}
