import { pathOf } from './effect-calls.ts'
import { printedBy } from './printed.ts'
import { assign, type Field, field, setPositional, type ShellState, unknown, WORD_UNITS } from './state.ts'

/** What a builtin of the shell changes for the rest of the line. */
export function applyBuiltin(
  state: ShellState,
  program: string,
  args: readonly Field[],
  input: string | null,
  isCertain: boolean,
): void {
  const operands = args.filter(({ text }) => !/^-./.test(text))
  switch (program) {
    case 'cd':
    case 'pushd':
    case 'chdir': {
      const [to = field('~')] = operands
      state.directory = to.text === '-' ? null : pathOf(to, state)
      return
    }
    case 'popd':
      state.directory = null
      return
    case 'alias':
      for (const { text } of operands) {
        const equals = text.indexOf('=')
        if (equals > 0) state.aliases.set(text.slice(0, equals), text.slice(equals + 1))
      }
      return
    case 'hash': {
      const [flag, path, name] = args
      if (flag?.text === '-p' && path !== undefined && name !== undefined) state.aliases.set(name.text, path.text)
      return
    }
    case 'read':
      return readInto(state, args, input, isCertain)
    case 'mapfile':
    case 'readarray': {
      const name = operands.at(-1)?.text ?? 'MAPFILE'
      if (input === null) state.arrays.set(name, [unknown('$@')])
      else setArray(state, name, linesOf(input) ?? [])
      return
    }
    case 'printf': {
      if (args[0]?.text !== '-v') return
      const text = printedBy('printf', args.slice(2), null)
      return assign(state, args[1]?.text ?? '', text === null ? null : [text], isCertain)
    }
    case 'set':
      return setWords(state, args)
    case 'shift':
      state.positional = state.positional?.slice(Number(operands[0]?.text ?? 1)) ?? null
      return
    case 'export':
    case 'declare':
    case 'typeset':
    case 'local':
    case 'readonly':
      // A name for another variable has the value of that one, whenever it is asked for.
      const isReference = args.some(({ text }) => /^-[a-zA-Z]*n/.test(text))
      for (const { text, isKnown } of operands) {
        const [, name, value = ''] = /^(\w+)=([\s\S]*)$/.exec(text) ?? []
        if (name !== undefined) assign(state, name, isKnown && !isReference ? [value] : null, isCertain)
      }
      return
    default:
  }
}

/** Words that are no options become `$1`, `$2` …, with or without a `--` before them. */
function setWords(state: ShellState, args: readonly Field[]): void {
  for (const [index, { text }] of args.entries())
    if (/^[-+][a-zA-Z]*o$/.test(text) && args[index + 1]?.text === 'pipefail') state.isPipefail = text.startsWith('-')
  const isOption = (at: number): boolean =>
    /^[-+][a-zA-Z]/.test(args[at]?.text ?? '') || /^[-+][a-zA-Z]*o$/.test(args[at - 1]?.text ?? '')
  const first = args.findIndex((_, at) => !isOption(at))
  if (first < 0) return
  setPositional(state, /^--?$/.test(args[first]?.text ?? '') ? args.slice(first + 1) : args.slice(first))
}

/** One name gets whole lines; several get a word each, and an array all of them. */
function readInto(state: ShellState, args: readonly Field[], input: string | null, isCertain: boolean): void {
  const names = args.filter(
    ({ text }, at) => text !== '' && !/^-./.test(text) && !/^-[a-zA-Z]*[dnNptui]$/.test(args[at - 1]?.text ?? ''),
  )
  const [only] = names
  // Those of the shell, and those that a line gives to one command alone.
  const own = state.variables.get('IFS')?.join('') ?? ''
  const words = input?.split(new RegExp(`[\\s,:;|${own.replaceAll(/[\\\]^-]/g, '\\$&')}]+`)).filter(Boolean) ?? null
  state.work.spend(input?.length ?? 0)
  if (only !== undefined && args.some(({ text }) => /^-[a-z]*a$/.test(text))) {
    if (words === null) state.arrays.set(only.text, [unknown('$@')])
    else setArray(state, only.text, words)
  } else if (names.length > 1)
    for (const [at, { text }] of names.entries())
      assign(state, text, words === null ? null : [words[at] ?? ''], isCertain)
  else if (only !== undefined) assign(state, only.text, linesOf(input), isCertain)
}

const linesOf = (input: string | null): readonly string[] | null => input?.split('\n').filter(Boolean) ?? null

function setArray(state: ShellState, name: string, words: readonly string[]): void {
  state.work.spend(words.reduce((sum, { length }) => sum + WORD_UNITS + length, WORD_UNITS))
  state.arrays.set(name, words.map(field))
}
