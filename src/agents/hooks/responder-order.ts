import type { Responder } from '../../contract/hooks.ts'

/**
 * All responders to hooks, by their names. An earlier one answers first, takes from the context budget first,
 * and its opinion counts before equal ones.
 */
const responderNames = [
  'rules',
  'leases',
  'policy',
  'pause-on',
  'urgent',
  'inbox',
  'loops',
  'memory',
  'channels',
  'notes',
  'snapshots',
  'model',
]

/** Responders of one name keep their order. Throws for a name that is not listed. */
export const orderResponders = (responders: readonly Responder[]): Responder[] => {
  const unlisted = responders.find(({ name }) => !responderNames.includes(name))
  if (unlisted !== undefined) throw new Error(`The responder ${unlisted.name} is missing in responder-order.ts.`)
  return responders.toSorted((a, b) => responderNames.indexOf(a.name) - responderNames.indexOf(b.name))
}
