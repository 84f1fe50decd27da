import type { Lease } from '../../contract/lease.ts'
import { holderName } from '../../contract/lease-text.ts'

const minuteMs = 60_000

/** Describes a lease: holder, files, purpose (in the holder's own words) and end. */
export const leaseWords = (lease: Lease, now: number): string => {
  const { glob, mode, holder, why, until } = lease
  const what = why === null || why === '' ? '' : ` for ${JSON.stringify(why)}`
  const minutes = Math.ceil((until - now) / minuteMs)
  const rest = minutes <= 1 ? 'in a minute at most' : `in ${minutes} minutes`
  const end = new Date(until).toISOString().replace(/\.\d+Z$/, 'Z')
  return `${holderName(holder?.handle)} holds ${glob} (${mode})${what} until ${end} (${rest})`
}

/** The hint for a refused caller. */
export const whatToDo = (lease: Lease, glob: string): string => {
  const ask =
    lease.holder === null
      ? 'Ask the user'
      : `Ask ${lease.holder.handle}: rein tell ${lease.holder.handle} TEXT (tool tell_agent)`
  return `${ask}; or work on something else meanwhile; or wait for it: rein lease take '${glob}' --wait`
}
