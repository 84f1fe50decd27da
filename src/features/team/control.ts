import { ReinError } from '../../contract/errors.ts'
import { Subject } from '../../contract/team.ts'
import { didYouMean } from '../../base/util/nearest.ts'
import { shown } from '../../base/util/shown.ts'

/** The request of one line; null for a comment or an empty line. */
type Control =
  | { kind: 'register'; subject: string }
  | { kind: 'unregister'; subject: string }
  | { kind: 'interval'; seconds: number }
  | null

type Read = (value: string) => Control

const kinds = ['room', 'bus', 'hub']
const longestIntervalS = 86_400

const register: Read = (subject) => ({ kind: 'register', subject: checkSubject(subject) })
const unregister: Read = (subject) => ({ kind: 'unregister', subject: checkSubject(subject) })
const interval: Read = (value) => {
  const seconds = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN
  if (seconds <= longestIntervalS) return { kind: 'interval', seconds }
  throw wrong(`${shown(value)} is no interval: it is in whole seconds, up to ${longestIntervalS}; 0 is never.`)
}

/** The accepted forms of control lines. */
const verbs: Record<string, Read> = {
  register,
  unregister,
  'set-interval': interval,
  'register-chat': (name) => register(`room:${name}`),
  'unregister-chat': (name) => unregister(`room:${name}`),
  'register-bus': (name) => register(`bus:${name}`),
  'unregister-bus': (name) => unregister(`bus:${name}`),
  'register-hub': (name) => register(`hub:${name}`),
  'unregister-hub': (name) => unregister(`hub:${name}`),
  'set-poll-interval': interval,
}

const usage = 'One line is: register|unregister room:NAME, bus:TYPE or hub:NAME; or set-interval SECONDS'

/** Reads one line, or says what is wrong with it. */
export const parseControl = (line: string): Control => {
  const text = line.trim()
  if (text === '' || text.startsWith('#')) return null
  const [verb = '', ...values] = text.replace(/^\\(rein-)?/, '').split(/\s+/)
  const read = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (read === undefined) throw wrong(`There is no ${shown(verb)}${didYouMean(verb, Object.keys(verbs))}`)
  const [value, ...more] = values
  if (value === undefined) throw wrong(`${verb} what?`)
  if (more.length > 0) throw wrong(`${verb} takes one thing, and ${shown(more.join(' '))} is too much.`)
  return read(value)
}

const checkSubject = (subject: string): string => {
  const [kind = '', ...name] = subject.split(':')
  if (Subject.safeParse(subject).success) return subject
  if (name.length === 0)
    throw wrong(`What is ${shown(subject)}? Write ${kinds.map((each) => `${each}:NAME`).join(' or ')}.`)
  if (!kinds.includes(kind)) throw wrong(`There is no ${shown(kind)}${didYouMean(kind, kinds)}`)
  throw wrong(`${shown(name.join(':'))} is no name: it has 1 to 64 of a–z, 0–9, _ and -, and * for anything.`)
}

const wrong = (message: string): ReinError => new ReinError('usage', message, usage)
