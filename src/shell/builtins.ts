import { pathOf } from './effects.ts'
import { printedBy } from './printed.ts'
import { assign, type Field, field, setPositional, type ShellState } from './state.ts'

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
  else if (program === 'read') readInto(state, operands, linesOf(input), isCertain)
  else if (program === 'printf' && args[0]?.text === '-v') printedInto(state, args, isCertain)
  else if (program === 'set' && args[0]?.text === '--') setPositional(state, args.slice(1))
  else if (program === 'set') setOptions(state, args)
  else if (program === 'shift') state.positional = state.positional?.slice(Number(operands[0]?.text ?? 1)) ?? null
  else if (/^(?:export|declare|typeset|local|readonly)$/.test(program)) declared(state, operands, isCertain)
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

const linesOf = (input: string | null): readonly string[] | null => input?.split('\n').filter(Boolean) ?? null

function readInto(
  state: ShellState,
  names: readonly Field[],
  lines: readonly string[] | null,
  isCertain: boolean,
): void {
  for (const { text } of names) assign(state, text, lines, isCertain)
}

function printedInto(state: ShellState, args: readonly Field[], isCertain: boolean): void {
  const text = printedBy('printf', args.slice(2), null)
  assign(state, args[1]?.text ?? '', text === null ? null : [text], isCertain)
}

function declared(state: ShellState, operands: readonly Field[], isCertain: boolean): void {
  for (const { text, isKnown } of operands) {
    const [, name, value = ''] = /^(\w+)=([\s\S]*)$/.exec(text) ?? []
    if (name !== undefined) assign(state, name, isKnown ? [value] : null, isCertain)
  }
}
