import type { TeamFile, Watch } from '../../contract/team.ts'
import { matches, overlap } from './pattern.ts'

type Kind = 'room' | 'bus'

/** Whether an agent is told of what is said in this room of its project. */
export const watchesRoom = (watch: Watch, name: string, team: TeamFile): boolean => wants(watch, 'room', name, team)

/** Whether it is told of events of this type; of an ambient one only if the type itself is named. */
export const watchesEvent = (watch: Watch, type: string, isAmbient: boolean, team: TeamFile): boolean =>
  wants(watch, 'bus', type, team) && (!isAmbient || isNamed(watch, type, team))

/** What is named exactly comes first, then what it does not want, then what it wants; a narrower `*` beats a wider one. */
const wants = (watch: Watch, kind: Kind, name: string, team: TeamFile): boolean => {
  const subject = `${kind}:${name}`
  if (watch.except.includes(subject)) return false
  if (watch.subjects.includes(subject)) return true
  const against = watch.except.filter((each) => covers(each, kind, name, team))
  return watch.subjects.some(
    (each) => covers(each, kind, name, team) && against.every((other) => each !== other && isWithin(each, other)),
  )
}

const isNamed = (watch: Watch, type: string, team: TeamFile): boolean =>
  watch.subjects.some((subject) => namesIn(subject, 'bus', team).includes(type))

const covers = (subject: string, kind: Kind, name: string, team: TeamFile): boolean =>
  namesIn(subject, kind, team).some((pattern) => matches(pattern, name))

/** The names of this kind that a subject stands for; a hub stands for all that the team's file lists there. */
const namesIn = (subject: string, kind: Kind, { hubs }: TeamFile): string[] => {
  const given = partsOf(subject)
  if (given.kind === kind) return [given.name]
  if (given.kind !== 'hub') return []
  const meant = Object.entries(hubs).filter(([hub]) => matches(given.name, hub))
  return meant.flatMap(([, { rooms, events }]) => (kind === 'room' ? rooms : events))
}

/** It is told of this from now on, but for what it has dropped by another name: a hub, or one room of that hub. */
export const register = (watch: Watch, subject: string): Watch => {
  const except = watch.except.filter((each) => !isWithin(each, subject) && !crosses(each, subject))
  const isThere = isCovered({ ...watch, except }, subject)
  return { ...watch, except, subjects: isThere ? watch.subjects : [...watch.subjects, subject] }
}

/** It is not told of this any more; what a dropped hub lists stays only if it is watched by its own name. */
export const unregister = (watch: Watch, subject: string): Watch => {
  const subjects = without(watch.subjects, subject)
  const except = without(watch.except, subject)
  const isLeft = subjects.some((each) => canMeet(each, subject))
  return { ...watch, subjects, except: isLeft ? [...except, subject] : except }
}

const without = (all: readonly string[], outer: string): string[] => all.filter((each) => !isWithin(each, outer))

/** Whether nothing would change if it were added. A type of event may be an ambient one, which has to be named. */
const isCovered = ({ subjects, except }: Watch, subject: string): boolean => {
  if (subjects.includes(subject)) return true
  if (/^bus:[^*]+$/.test(subject)) return false
  return subjects.some((each) => isWithin(subject, each)) && !except.some((each) => canMeet(each, subject))
}

/** Whether two subjects can mean the same thing; what is in a hub is not known here. */
const canMeet = (one: string, other: string): boolean => {
  const [a, b] = [partsOf(one), partsOf(other)]
  if (a.kind !== b.kind) return a.kind === 'hub' || b.kind === 'hub'
  return overlap(a.name, b.name)
}

/** They meet, but neither is part of the other: told of too much is better than told of too little. */
const crosses = (one: string, other: string): boolean =>
  partsOf(one).kind === partsOf(other).kind && canMeet(one, other) && !isWithin(one, other) && !isWithin(other, one)

/** One pattern matches all that another does if it matches its text: the `*` in there is taken in like any letter. */
const isWithin = (inner: string, outer: string): boolean => {
  const [a, b] = [partsOf(inner), partsOf(outer)]
  return a.kind === b.kind && matches(b.name, a.name)
}

const partsOf = (subject: string): { kind: string; name: string } => {
  const colon = subject.indexOf(':')
  return { kind: subject.slice(0, colon), name: subject.slice(colon + 1) }
}
