import { buildCommand, type Command, type FlagParametersForType, type TypedPositionalParameters } from '@stricli/core'
import { isAgent } from '../client/agent-env.ts'
import { explainBuilds } from '../client/build.ts'
import type { CliContext, JsonFlag } from './context.ts'
import { report } from './exit.ts'

interface Handler<Flags, Args extends readonly unknown[]> {
  run: (context: CliContext, flags: Flags & JsonFlag, ...args: Args) => Promise<void>
}

interface Base<Flags, Args extends readonly unknown[]> {
  brief: string
  /** Printed by `--help` below the usage. */
  more?: string
  examples: readonly [string, string]
  /** What people do after it: commands, printed by `--help`. */
  next?: readonly string[]
  /** Ends the usage line, after the flags. */
  rest?: string
  load: () => Promise<Handler<Flags, Args>>
}

/** Flags and arguments have the types that the handler takes, and are left out where it takes none. */
type Declaration<Flags, Args extends readonly unknown[]> = Base<Flags, Args> &
  (keyof Flags extends never ? { flags?: never } : { flags: FlagParametersForType<Flags, CliContext> }) &
  (Args extends readonly [] ? { args?: never } : { args: TypedPositionalParameters<Args, CliContext> })

/** What `--help` shows of a flag or an argument. */
export interface Parameter {
  brief: string
  placeholder?: string
  optional?: boolean
  values?: readonly string[]
  variadic?: unknown
}

/** What `--help` shows of a command. */
export interface CommandPage extends Pick<Base<object, []>, 'brief' | 'more' | 'examples' | 'next' | 'rest'> {
  flags: Readonly<Record<string, Parameter>>
  /** The letters of flags, by the name of the flag. */
  letters: Readonly<Record<string, string>>
  args: readonly Parameter[]
  /** The only argument may be given any number of times. */
  isList: boolean
}

const json = { kind: 'boolean', brief: 'Print JSON', optional: true, withNegated: false } as const

/** The flags that have a letter: the same one in each command that takes them. */
const letters: Readonly<Record<string, string>> = {
  a: 'all',
  c: 'continue',
  f: 'follow',
  m: 'model',
  n: 'limit',
  o: 'output',
  p: 'prompt',
  r: 'resume',
  u: 'unread',
  v: 'verbose',
  w: 'watch',
  y: 'yes',
}

const pages = new WeakMap<object, () => CommandPage>()

export const findPage = (command: object): CommandPage | undefined => pages.get(command)?.()

/** Declares a command. Its handler is loaded when it runs, and its errors become exit codes. */
export const command = <Flags extends object, Args extends readonly unknown[]>(
  declaration: Declaration<Flags, Args>,
): Command<CliContext> => {
  const { brief, load } = declaration
  const flags: Record<string, Parameter> = { ...declaration.flags, json }
  const aliases = Object.fromEntries(Object.entries(letters).filter(([, name]) => name in flags))
  const args: Positionals = (declaration.args as Positionals | undefined) ?? { kind: 'tuple', parameters: [] }
  const built = buildCommand<Flags & JsonFlag, Args, CliContext>({
    docs: { brief },
    parameters: { flags, aliases, positional: args } as never,
    loader: async () => {
      const { run } = await load()
      return async function (this: CliContext, given: Flags & JsonFlag, ...values: Args): Promise<void> {
        await run(this, given, ...values).catch((cause: unknown) =>
          this.exitWith(report(this.out, explainBuilds(cause, isAgent(this.env)), given.json === true)),
        )
      }
    },
  })
  // Every start declares every command; only `--help` and errors need its page.
  pages.set(built, () => ({
    ...declaration,
    flags,
    letters: Object.fromEntries(Object.entries(aliases).map(([letter, name]) => [name, letter])),
    args: args.kind === 'array' ? [args.parameter] : args.parameters,
    isList: args.kind === 'array',
  }))
  return built
}

type Positionals = { kind: 'tuple'; parameters: readonly Parameter[] } | { kind: 'array'; parameter: Parameter }
