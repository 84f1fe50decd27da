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
  if (program === 'cd' || program === 'pushd' || program === 'chdir') changeDirectory(state, operands)
  else if (program === 'popd') state.directory = null
  else if (program === 'alias') for (const { text } of operands) define(state.aliases, text)
  else if (program === 'hash') hashed(state, args)
  else if (program === 'read') readInto(state, args, namesIn(args), input, isCertain)
  else if (program === 'mapfile' || program === 'readarray') readLines(state, operands.at(-1)?.text ?? 'MAPFILE', input)
  else if (program === 'printf' && args[0]?.text === '-v') printedInto(state, args, isCertain)
  else if (program === 'set') setWords(state, args)
  else if (program === 'shift') state.positional = state.positional?.slice(Number(operands[0]?.text ?? 1)) ?? null
  else if (/^(?:export|declare|typeset|local|readonly)$/.test(program)) declared(state, args, operands, isCertain)
}

/** What is no option becomes `$1`, `$2` …, with or without a `--` before it. */
function setWords(state: ShellState, args: readonly Field[]): void {
  setOptions(state, args)
  const isOption = (at: number): boolean =>
    /^[-+][a-zA-Z]/.test(args[at]?.text ?? '') || /^[-+][a-zA-Z]*o$/.test(args[at - 1]?.text ?? '')
  const first = args.findIndex((_, at) => !isOption(at))
  if (first < 0) return
  setPositional(state, /^--?$/.test(args[first]?.text ?? '') ? args.slice(first + 1) : args.slice(first))
}

function setOptions(state: ShellState, args: readonly Field[]): void {
  for (const [index, { text }] of args.entries())
    if (/^[-+][a-zA-Z]*o$/.test(text) && args[index + 1]?.text === 'pipefail') state.isPipefail = text.startsWith('-')
}

function changeDirectory(state: ShellState, [to = field('~')]: readonly Field[]): void {
  state.directory = to.text === '-' ? null : pathOf(to, state)
}

function define(into: Map<string, string>, text: string): void {
  const equals = text.indexOf('=')
  if (equals > 0) into.set(text.slice(0, equals), text.slice(equals + 1))
}

function hashed({ aliases }: ShellState, args: readonly Field[]): void {
  const [flag, path, name] = args
  if (flag?.text === '-p' && path !== undefined && name !== undefined) aliases.set(name.text, path.text)
}

/** Names that `read` is given, without what its flags are. */
const namesIn = (args: readonly Field[]): readonly Field[] =>
  args.filter(
    ({ text }, at) => text !== '' && !/^-./.test(text) && !/^-[a-zA-Z]*[dnNptui]$/.test(args[at - 1]?.text ?? ''),
  )

function readLines(state: ShellState, name: string, input: string | null): void {
  if (input === null) state.arrays.set(name, [unknown('$@')])
  else setArray(state, name, linesOf(input) ?? [])
}

/** One name gets whole lines; several get a word each, and an array all of them. */
function readInto(
  state: ShellState,
  args: readonly Field[],
  names: readonly Field[],
  input: string | null,
  isCertain: boolean,
): void {
  const [only] = names
  const words = input?.split(separators(state)).filter(Boolean) ?? null
  state.work.spend(input?.length ?? 0)
  if (only !== undefined && args.some(({ text }) => /^-[a-z]*a$/.test(text))) {
    if (words === null) state.arrays.set(only.text, [unknown('$@')])
    else setArray(state, only.text, words)
  } else if (names.length > 1)
    for (const [at, { text }] of names.entries())
      assign(state, text, words === null ? null : [words[at] ?? ''], isCertain)
  else if (only !== undefined) assign(state, only.text, linesOf(input), isCertain)
}

/** Those of the shell, and those that a line gives to one command alone. */
const separators = ({ variables }: ShellState): RegExp => {
  const own = variables.get('IFS')?.join('') ?? ''
  return new RegExp(`[\\s,:;|${own.replaceAll(/[\\\]^-]/g, '\\$&')}]+`)
}

const linesOf = (input: string | null): readonly string[] | null => input?.split('\n').filter(Boolean) ?? null

function setArray(state: ShellState, name: string, words: readonly string[]): void {
  state.work.spend(words.reduce((sum, { length }) => sum + WORD_UNITS + length, WORD_UNITS))
  state.arrays.set(name, words.map(field))
}

function printedInto(state: ShellState, args: readonly Field[], isCertain: boolean): void {
  const text = printedBy('printf', args.slice(2), null)
  assign(state, args[1]?.text ?? '', text === null ? null : [text], isCertain)
}

function declared(state: ShellState, args: readonly Field[], operands: readonly Field[], isCertain: boolean): void {
  // A name for another variable has the value of that one, whenever it is asked for.
  const isReference = args.some(({ text }) => /^-[a-zA-Z]*n/.test(text))
  for (const { text, isKnown } of operands) {
    const [, name, value = ''] = /^(\w+)=([\s\S]*)$/.exec(text) ?? []
    if (name !== undefined) assign(state, name, isKnown && !isReference ? [value] : null, isCertain)
  }
}
