import type { TeamFile, Watch } from '../../contract/team.ts'
import { matches, overlap } from './pattern.ts'

type Kind = 'room' | 'bus'

/** Whether an agent is told of posts in this room of its project. */
export const watchesRoom = (watch: Watch, name: string, team: TeamFile): boolean => wants(watch, 'room', name, team)

/** Whether it is told of events of this type; of an ambient one only if the type itself is named. */
export const watchesEvent = (watch: Watch, type: string, isAmbient: boolean, team: TeamFile): boolean =>
  wants(watch, 'bus', type, team) &&
  (!isAmbient || watch.subjects.some((subject) => listNames(subject, 'bus', team).includes(type)))

/** Exact names come first, then exceptions, then subjects; a narrower `*` beats a wider one. */
const wants = (watch: Watch, kind: Kind, name: string, team: TeamFile): boolean => {
  const subject = `${kind}:${name}`
  if (watch.except.includes(subject)) return false
  if (watch.subjects.includes(subject)) return true
  const against = watch.except.filter((each) => covers(each, kind, name, team))
  return watch.subjects.some(
    (each) => covers(each, kind, name, team) && against.every((other) => each !== other && isWithin(each, other)),
  )
}

const covers = (subject: string, kind: Kind, name: string, team: TeamFile): boolean =>
  listNames(subject, kind, team).some((pattern) => matches(pattern, name))

/** The names of this kind that a subject stands for; a hub stands for all that the team's file lists there. */
const listNames = (subject: string, kind: Kind, { hubs }: TeamFile): string[] => {
  const given = splitSubject(subject)
  if (given.kind === kind) return [given.name]
  if (given.kind !== 'hub') return []
  const meant = Object.entries(hubs).filter(([hub]) => matches(given.name, hub))
  return meant.flatMap(([, { rooms, events }]) => (kind === 'room' ? rooms : events))
}

/** Adds a subject. Exceptions by another name stay: a hub, or one room of that hub. */
export const register = (watch: Watch, subject: string): Watch => {
  // Of two subjects that only overlap, the new one wins: too much is better than too little.
  const except = watch.except.filter((each) => {
    const isSameKind = splitSubject(each).kind === splitSubject(subject).kind
    const isOverlapping = isSameKind && canMeet(each, subject) && !isWithin(subject, each)
    return !isWithin(each, subject) && !isOverlapping
  })
  const { subjects } = watch
  // An event type that is named may be an ambient one, which must be named.
  const isType = /^bus:[^*]+$/.test(subject)
  const isThere =
    subjects.includes(subject) ||
    (!isType && subjects.some((each) => isWithin(subject, each)) && !except.some((each) => canMeet(each, subject)))
  return { ...watch, except, subjects: isThere ? watch.subjects : [...watch.subjects, subject] }
}

/** Drops a subject. Rooms of a dropped hub stay only if they are watched by their own name. */
export const unregister = (watch: Watch, subject: string): Watch => {
  const subjects = without(watch.subjects, subject)
  const except = without(watch.except, subject)
  const isLeft = subjects.some((each) => canMeet(each, subject))
  return { ...watch, subjects, except: isLeft ? [...except, subject] : except }
}

const without = (all: readonly string[], outer: string): string[] => all.filter((each) => !isWithin(each, outer))

/** Whether two subjects can mean the same thing; a hub can contain anything. */
const canMeet = (one: string, other: string): boolean => {
  const [a, b] = [splitSubject(one), splitSubject(other)]
  if (a.kind !== b.kind) return a.kind === 'hub' || b.kind === 'hub'
  return overlap(a.name, b.name)
}

/** A pattern covers another if it matches its text: the `*` in there counts as a letter. */
const isWithin = (inner: string, outer: string): boolean => {
  const [a, b] = [splitSubject(inner), splitSubject(outer)]
  return a.kind === b.kind && matches(b.name, a.name)
}

const splitSubject = (subject: string): { kind: string; name: string } => {
  const colon = subject.indexOf(':')
  return { kind: subject.slice(0, colon), name: subject.slice(colon + 1) }
}
