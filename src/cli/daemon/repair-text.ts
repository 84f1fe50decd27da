import type { RepairView } from '../../contract/outputs/repair.ts'
import { formatAge, formatTable, joinLines } from '../format.ts'

const mostListed = 20

export const repairText = (found: RepairView, now: number): string => {
  if (found.state === 'sound') return `The database ${found.database} is sound: ${countText(found)}.`
  const rows = found.topics.map(({ topic, kept, recovered, lost }) => [
    topic,
    String(kept),
    String(recovered),
    String(lost),
  ])
  const [lost, other] = [found.records.filter(({ isLost }) => isLost), found.records.filter(({ isLost }) => !isLost)]
  return joinLines(
    found.state === 'damaged'
      ? `The database ${found.database} is damaged.`
      : `The database ${found.database} is ${found.state}, and there was one.`,
    ...found.faults.slice(0, mostListed).map((fault) => `  ${fault.trim().replaceAll('\n', '\n  ')}`),
    ...walLines[found.wal],
    found.pages.length > 0 && `Damaged pages: ${shortened(found.pages.map(String))}`,
    found.copy === null
      ? 'There is no daily copy that is sound.'
      : `The daily copy of ${formatAge(found.copy.at, now)} ago (${found.copy.file}) is sound.`,
    rows.length > 0 && ['', formatTable(['TOPIC', 'READABLE', 'FROM THE COPY', 'LOST'], rows), ''],
    other.length > 0 && `Damaged records that the copy has: ${listRecords(other)}`,
    lost.length === 0 ? 'No record that is known of would be lost.' : `Lost records: ${listRecords(lost)}`,
  )
}

const walLines = {
  absent: [],
  read: [],
  damaged: ['The log beside it cannot be read to its end: what was accepted last may be lost.'],
  missing: ['The log beside it is missing: what was accepted last may be lost.'],
} as const

const listRecords = (records: RepairView['records']): string =>
  shortened(
    records.map(({ seq, topic, page }) => `${seq} (${topic ?? 'unknown'}${page === null ? '' : `, page ${page}`})`),
  )

const shortened = (items: readonly string[]): string =>
  [...items.slice(0, mostListed), ...(items.length > mostListed ? [`and ${items.length - mostListed} more`] : [])].join(
    ', ',
  )

export const repairedText = (repaired: RepairView): string =>
  joinLines(
    `Repaired: ${countText(repaired)}.`,
    repaired.kept !== null && `The damaged one is kept in ${repaired.kept}`,
  )

const countText = ({ topics, records }: RepairView): string => {
  const lost = records.filter(({ isLost }) => isLost)
  const sum = (of: 'kept' | 'recovered'): number => topics.reduce((all, topic) => all + topic[of], 0)
  const parts = [`${sum('kept')} records`]
  if (sum('recovered') > 0) parts.push(`${sum('recovered')} of the daily copy`)
  if (lost.length > 0) parts.push(`${lost.length} lost`)
  return parts.join(', ')
}
