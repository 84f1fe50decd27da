import type { LeaseView } from '../../contract/routes/leases.ts'
import { nameFor, userMember } from '../../contract/person.ts'
import { shortId } from '../../contract/ids.ts'
import { formatTable, formatTime, printable, shorten } from '../format.ts'
import type { Reader } from '../output.ts'

const whyLimit = 80

type View = Pick<Reader, 'isAgent' | 'columns'>
const toPerson: View = { isAgent: false }

const holderOf = ({ holder }: LeaseView, reader: View): string => nameFor(reader, holder ?? userMember)

export const leaseText = (lease: LeaseView, now: number, reader: View = toPerson): string => {
  const { id, glob, mode, until, ended } = lease
  if (ended !== null) return `${printable(glob)} of ${holderOf(lease, reader)} is ${ended} (${shortId(id)}).`
  return `${holderOf(lease, reader)} ${holderOf(lease, reader) === 'you' ? 'hold' : 'holds'} ${printable(glob)} (${mode}) until ${formatTime(until, now)} (${shortId(id)}).`
}

export const leasesText = (leases: LeaseView[], now: number, reader: View = toPerson): string =>
  leases.map((lease) => leaseText(lease, now, reader)).join('\n')

export const leaseTable = (leases: LeaseView[], now: number, reader: View = toPerson): string => {
  if (leases.length === 0) return "No leases here. Take one: rein lease take 'src/**'"
  const rows = leases.map((lease) => [
    holderOf(lease, reader),
    printable(lease.glob),
    lease.mode,
    lease.ended === null ? formatTime(lease.until, now) : `${lease.ended} ${formatTime(lease.endedAt ?? 0, now)}`,
    lease.why === null ? '-' : shorten(lease.why, whyLimit),
    printable(lease.root),
    shortId(lease.id),
  ])
  return formatTable(['HOLDER', 'FILES', 'MODE', 'UNTIL', 'WHY', 'WORK TREE', 'ID'], rows, {
    columns: reader.columns,
    optional: ['WORK TREE', 'MODE'],
  })
}
