/** What is shown, and since when exactly that. */
export interface Arming {
  shown: string
  since: number
}

/** A person needs that long to see what a button is for: a tap that was meant for something else must not approve. */
export const armsAfterMs = 700

/** Any change of what is shown begins anew. */
export const armFor = (before: Arming | null, shown: string, now: number): Arming =>
  before !== null && before.shown === shown ? before : { shown, since: now }

/** How long until it counts; 0: it does. A clock that was set back counts from its new time. */
export const armsInMs = ({ since }: Arming, now: number): number =>
  Math.min(armsAfterMs, Math.max(0, since + armsAfterMs - now))
