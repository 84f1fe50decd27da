import type { Actor } from './identity.ts'

/** How rooms and the bus name the person: agents write `@user`. */
export const userMember = 'user'

/** The person who runs Rein, in everything that agents read. */
export const personName = 'the user'

/** What somebody acts through, where that is not a command on this machine. */
const throughOf = (actor: Actor): string => (actor.kind === 'user' && actor.via !== undefined ? actor.via.name : '')

/** A person who is not at a command of this machine. */
export const isThroughDevice = (actor: Actor): boolean => actor.kind === 'user' && actor.via !== undefined

/** Whoever did something, and through what: `the user`, `the user (phone)`, a handle. */
export const nameActor = (actor: Actor): string => {
  if (actor.kind === 'agent') return actor.handle
  if (actor.kind === 'channel') return `channel ${actor.name}${actor.sender === null ? '' : ` (${actor.sender})`}`
  if (actor.kind !== 'user') return 'rein'
  const through = throughOf(actor)
  return `${actor.name === userMember ? personName : actor.name}${through === '' ? '' : ` (${through})`}`
}

/** By which way it was done: with this command, or on a device. */
export const wayOf = (actor: Actor, command: string): string => {
  const through = throughOf(actor)
  return through === '' ? command : `device ${through}`
}

/** A name in what a command prints: a person is `you` to themselves, and `the user` to agents. */
export const nameFor = ({ isAgent }: { isAgent: boolean }, name: string): string => {
  if (isAgent) return name === userMember ? personName : name
  if (name === personName || name === userMember) return 'you'
  return name.startsWith(`${personName} (`) ? `you${name.slice(personName.length)}` : name
}
