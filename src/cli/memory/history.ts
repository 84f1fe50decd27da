import { ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { historyText } from './text.ts'

interface HistoryFlags {
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
  { ok, failed, exit, mine, author, all, limit = usualLimit, json, since, until }: HistoryFlags & JsonFlag,
  ...text: string[]
): Promise<void> => {
  if (mine && author !== undefined) throw new ReinError('usage', 'Give only one of --mine and --author.')
  const given = [ok ? ('ok' as const) : undefined, failed ? ('failed' as const) : undefined, exit]
  const endings = given.filter((each) => each !== undefined)
  if (endings.length > 1) throw new ReinError('usage', 'Give only one of --ok, --failed and --exit.')
  const filters = { author: mine ? 'person' : author, since, until, exit: endings[0] }
  const found = await connect().history({ cwd: cwd(), text: text.join(' '), all, limit, ...filters })
  const isFiltered = text.join(' ') !== '' || Object.values(filters).some((value) => value !== undefined)
  if (json) out.document(found)
  else
    out.line(
      historyText(found, { now: now(), cwd: cwd(), limit, isAll: all === true, isFiltered }, out.style, out.columns),
    )
}
