/** Time is given to whoever needs it, so that tests can turn the hands. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
