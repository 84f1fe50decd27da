import type { Lease } from '../../contract/lease.ts'
import { holderName } from '../../contract/lease-text.ts'

const minuteMs = 60_000

const inWords = (ms: number): string => {
  const minutes = Math.ceil(ms / minuteMs)
  return minutes <= 1 ? 'in a minute at most' : `in ${minutes} minutes`
}

/** Who holds what, for what, and until when. What it is for are the holder's own words. */
export const leaseWords = (lease: Lease, now: number): string => {
  const { glob, mode, holder, why, until } = lease
  const what = why === null || why === '' ? '' : ` for ${JSON.stringify(why)}`
  const end = new Date(until).toISOString().replace(/\.\d+Z$/, 'Z')
  return `${holderName(holder?.handle)} holds ${glob} (${mode})${what} until ${end} (${inWords(until - now)})`
}

/** What whoever is refused can do. */
export const whatToDo = (lease: Lease, glob: string): string => {
  const ask =
    lease.holder === null
      ? 'Ask the user'
      : `Ask ${lease.holder.handle}: rein tell ${lease.holder.handle} TEXT (tool tell_agent)`
  return `${ask}; or work on something else meanwhile; or wait for it: rein lease take '${glob}' --wait`
}
