import { nearest } from '../../../base/util/nearest.ts'

export type Slash =
  | { kind: 'help' }
  | { kind: 'exit' }
  /** Which turns there are, to choose one of. */
  | { kind: 'chooseTurn' }
  | { kind: 'session' | 'turns' | 'undo' | 'redo' | 'compact' | 'cost' }
  | { kind: 'rewind'; turn: number }
  | { kind: 'fork'; turn: number | null }
  | { kind: 'model'; name: string }
  | { kind: 'unknown'; hint: string }

interface Known {
  names: readonly string[]
  usage: string
  brief: string
}

const slashes: readonly Known[] = [
  { names: ['/help', '/h', '/?'], usage: '/help', brief: 'shows this (also /h and /?)' },
  { names: ['/session'], usage: '/session', brief: 'which session this is' },
  { names: ['/turns'], usage: '/turns', brief: 'its turns, with their numbers' },
  {
    names: ['/rewind'],
    usage: '/rewind [N]',
    brief: 'back to the end of turn N: files and conversation; without N: shows the turns',
  },
  { names: ['/undo'], usage: '/undo', brief: 'takes the last /rewind, /compact or /redo back' },
  { names: ['/redo'], usage: '/redo', brief: 'does again what /undo took back' },
  { names: ['/fork'], usage: '/fork [N]', brief: 'another agent goes on from here, or from turn N' },
  { names: ['/compact'], usage: '/compact', brief: 'goes on with a summary of all so far' },
  { names: ['/cost'], usage: '/cost', brief: 'what it has cost so far' },
  { names: ['/model'], usage: '/model NAME', brief: 'goes on with another model' },
  { names: ['/exit', '/quit', '/q'], usage: '/exit', brief: 'ends it (also /quit, /q and Ctrl-D)' },
]
const allNames = slashes.flatMap(({ names }) => names)

/** `//` says something that begins with a slash. */
export const isSlash = (text: string): boolean => text.startsWith('/') && !text.startsWith('//')

export const parseSlash = (text: string): Slash => {
  const [word = '', argument = '', ...more] = text.trim().split(/\s+/)
  const known = slashes.find(({ names }) => names.includes(word.toLowerCase()))
  if (known === undefined) {
    const meant = nearest(
      word,
      allNames.filter((name) => name.length > 2),
    )
    return {
      kind: 'unknown',
      hint: `There is no ${word}.${meant === undefined ? '' : ` Did you mean ${meant}?`} /help shows all; // says it to the agent.`,
    }
  }
  return (
    (more.length > 0 ? null : parsed(known.names[0] ?? '', argument)) ?? {
      kind: 'unknown',
      hint: `Usage: ${known.usage}`,
    }
  )
}

/** Null if the argument is none for it. */
const parsed = (name: string, argument: string): Slash | null => {
  const turn = /^\d+$/.test(argument) ? Number(argument) : null
  switch (name) {
    case '/rewind':
      if (argument === '') return { kind: 'chooseTurn' }
      return turn === null ? null : { kind: 'rewind', turn }
    case '/fork':
      return turn === null && argument !== '' ? null : { kind: 'fork', turn }
    case '/model':
      return argument === '' ? null : { kind: 'model', name: argument }
    default:
      return argument === '' ? { kind: name.slice(1) as 'session' } : null
  }
}

/** As much more of a command's name as is sure; the candidates, if that is nothing. */
export const completed = (text: string): { text: string; candidates: string[] } => {
  const candidates = slashes.flatMap(({ names }) => names.slice(0, 1)).filter((name) => name.startsWith(text))
  const [first = text] = candidates
  if (candidates.length === 1)
    return {
      text: `${first}${/ /.test(slashes.find(({ names }) => names.includes(first))?.usage ?? '') ? ' ' : ''}`,
      candidates: [],
    }
  const common = candidates.reduce((sure, name) => {
    let length = 0
    while (length < sure.length && sure[length] === name[length]) length += 1
    return sure.slice(0, length)
  }, first)
  return { text: common, candidates: common === text ? candidates : [] }
}

const keys: readonly (readonly [string, string])[] = [
  ['Enter', 'sends, or queues while the agent works'],
  ['Alt-Enter', 'a new line; so does \\ at the end of one'],
  ['Esc', 'interrupts the agent'],
  ['↑ ↓', 'lines, what waits in the queue, what was sent'],
  ['PgUp PgDn', 'look back and forth; Home and End in an empty line'],
  ['Ctrl-O', 'unfolds tools and thoughts, and folds them'],
  ['Tab', 'completes a command'],
  ['Ctrl-C', 'interrupts; twice ends it'],
]

export const helpText = (): string =>
  [...slashes.map(({ usage, brief }) => [usage, brief] as const), ...keys]
    .map(([what, brief]) => `${what.padEnd(12)}${brief}`)
    .join('\n')
