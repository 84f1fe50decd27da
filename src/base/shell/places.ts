import { isAbsolute, resolve } from 'node:path'
import { flatten, type SimpleCommand } from './flatten.ts'
import { baseName, programIndex } from './programs.ts'

/** Programs that go to a directory before they do anything, and the option that names it. */
const MOVERS: Readonly<Record<string, readonly string[]>> = {
  git: ['-C', '--work-tree', '--git-dir'],
  make: ['-C', '--directory'],
  gmake: ['-C', '--directory'],
  ninja: ['-C'],
  go: ['-C'],
  cargo: ['-C'],
  npm: ['-C', '--prefix'],
  pnpm: ['-C', '--dir'],
  yarn: ['--cwd'],
  bun: ['--cwd'],
  uv: ['--directory', '--project'],
}
const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash'])
/** Only a shell knows what these become. */
const OPEN = /[$`*?{[]/
const HOME = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/
const MENTIONS = /\b(?:cd|pushd)\b|\s(?:-C|--(?:work-tree|git-dir|directory|project|prefix|dir|cwd))\b/
const DEEPEST = 3
const OPENING = new Set(['(', '{', '((', '[[', 'if', 'for', 'select', 'while', 'case', 'function', 'coproc'])

type Place = string | null

export const isWithin = (directory: string, path: string): boolean =>
  path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`)

/** Each directory that a line goes to, in its order; null for one that cannot be told from the line. */
export function placesOf(text: string, cwd: string, home: string | null = null, depth = 0): readonly Place[] {
  if (depth > DEEPEST || !MENTIONS.test(text)) return []
  const found: Place[] = []
  const outside: (Place | undefined)[] = []
  let at: Place = cwd
  for (const piece of flatten(text)) {
    if ('command' in piece) {
      const call = callOf(piece.command)
      const target = changesTo(call)
      for (const inner of innerLines(call)) found.push(...placesOf(inner, at ?? cwd, home, depth + 1))
      for (const word of optionsOf(call)) found.push(placeAt(word, at, home))
      if (target !== undefined) found.push((at = placeAt(target, at, home)))
    } else if (OPENING.has(piece.joint)) outside.push(piece.joint === '(' ? at : undefined)
    else if (piece.joint === 'end') {
      // What a subshell does ends with it.
      const before = outside.pop()
      if (before !== undefined) at = before
    }
  }
  return found
}

interface Call {
  readonly program: string
  readonly args: readonly string[]
}

function callOf({ words }: SimpleCommand): Call {
  const values = words.map(({ value }) => value)
  const at = programIndex(values)
  return { program: baseName(values[at] ?? ''), args: values.slice(at + 1) }
}

/** Without a word it is one's home. */
function changesTo({ program, args }: Call): string | undefined {
  if (program !== 'cd' && program !== 'pushd') return undefined
  return args.find((arg) => !/^-[LPe@n-]+$/.test(arg)) ?? '~'
}

const optionsOf = ({ program, args }: Call): readonly string[] =>
  (Object.hasOwn(MOVERS, program) ? (MOVERS[program] ?? []) : []).flatMap((option) =>
    args.flatMap((arg, index) => {
      if (arg === option) return args[index + 1] ?? []
      return arg.startsWith(`${option}=`) ? arg.slice(option.length + 1) : []
    }),
  )

/** Lines within a line: `bash -c '…'`, `$(…)`. */
const innerLines = ({ program, args }: Call): readonly string[] => {
  const script = SHELLS.has(program) ? args[args.findIndex((arg) => /^-[a-z]*c$/.test(arg)) + 1] : undefined
  const substituted = args.flatMap((arg) => [...arg.matchAll(/\$\(([^()]*)\)|`([^`]*)`/g)])
  return [script ?? '', ...substituted.map(([, inDollar, inTicks]) => inDollar ?? inTicks ?? '')]
}

function placeAt(word: string, at: Place, home: string | null): Place {
  const target = home === null ? word : word.replace(HOME, home)
  if (target === '-' || target.startsWith('~') || OPEN.test(target)) return null
  return at === null && !isAbsolute(target) ? null : resolve(at ?? '/', target)
}

/** Stands for the directory that a line is run in, where nobody knows which: no line can name it. */
export const HERE = '/\u0000'

/** Whether a line goes out of the directory that it is run in, or nobody can tell where. */
export const leadsAway = (text: string): boolean =>
  placesOf(text, HERE).some((place) => place === null || !isWithin(HERE, place))
