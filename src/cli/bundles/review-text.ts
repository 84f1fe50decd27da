import type { ImportedView } from '../../contract/routes/bundles.ts'
import { groupBy } from '../../base/util/group.ts'
import { counted } from '../format.ts'
import { shownPath } from '../safe-text.ts'

/** What can run or steer something, by its class; of each class at most so many names. */
export const reviewLines = (review: ImportedView['review'], most: number): string[] => {
  if (review.length === 0) return []
  const groups = groupBy(review, ({ reason }) => reason)
  const lines = [...groups].flatMap(([reason, items]) => [
    `  ${reason}: ${items.length}`,
    ...items.slice(0, most).map(({ path }) => `    ${shownPath(path)}`),
    ...(items.length > most ? [`    (${items.length - most} more: --json shows all.)`] : []),
  ])
  return [`${counted(review.length, 'file')} can run or steer something; look at them:`, ...lines]
}
