import type { DecidedView, DecisionsView } from '../../contract/routes/team.ts'
import { shortId } from '../../contract/ids.ts'
import { counted } from '../format.ts'
import type { Reader } from '../output.ts'
import { saidText } from '../chat/text.ts'

/** The default of `--limit`. */
export const usualLimit = 100

export const decidedText = ({ n, checkpoint }: DecidedView): string =>
  checkpoint === null
    ? `Decision #${n} is logged.`
    : `Decision #${n} is logged, and triggered a checkpoint: rein bus read ${shortId(checkpoint)}`

export const decisionsText = ({ decisions, total, every }: DecisionsView, now: number, reader: Reader): string => {
  if (total === 0) return "No decisions. Log one: rein decision log 'Dates are ISO 8601'"
  const more = decisions.length < usualLimit || decisions.length === total ? '' : '; --limit N shows more'
  const next = every === 0 ? '' : `; the next checkpoint is at #${(Math.floor(total / every) + 1) * every}`
  return [
    ...decisions.map(({ by, ...decision }) => saidText({ ...decision, from: by }, now, reader)),
    `(${decisions.length} of ${counted(total, 'decision')}${more}${next}.)`,
  ].join('\n')
}
