import type { LeaseView } from '../../contract/routes/leases.ts'
import { shortId } from '../../contract/ids.ts'
import { formatTable, formatTime, printable, shorten } from '../format.ts'

const whyLimit = 80

const holderOf = ({ holder }: LeaseView): string => holder ?? 'user'

export const leaseText = (lease: LeaseView, now: number): string => {
  const { id, glob, mode, until, ended } = lease
  if (ended !== null) return `${printable(glob)} of ${holderOf(lease)} is ${ended} (${shortId(id)}).`
  return `${holderOf(lease)} holds ${printable(glob)} (${mode}) until ${formatTime(until, now)} (${shortId(id)}).`
}

export const leasesText = (leases: LeaseView[], now: number): string =>
  leases.map((lease) => leaseText(lease, now)).join('\n')

export const leaseTable = (leases: LeaseView[], now: number, columns?: number): string => {
  if (leases.length === 0) return 'Nobody holds anything here. Take something: rein lease take GLOB'
  const rows = leases.map((lease) => [
    holderOf(lease),
    printable(lease.glob),
    lease.mode,
    lease.ended === null ? formatTime(lease.until, now) : `${lease.ended} ${formatTime(lease.endedAt ?? 0, now)}`,
    lease.why === null ? '-' : shorten(lease.why, whyLimit),
    printable(lease.root),
    shortId(lease.id),
  ])
  return formatTable(['HOLDER', 'FILES', 'MODE', 'UNTIL', 'WHY', 'WORK TREE', 'ID'], rows, { columns })
}
