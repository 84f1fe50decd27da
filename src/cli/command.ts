import {
  type Aliases,
  buildCommand,
  type Command,
  type FlagParametersForType,
  type TypedPositionalParameters,
} from '@stricli/core'
import { isAgent } from '../client/agent-env.ts'
import { explainBuilds } from '../client/build.ts'
import type { CliContext, JsonFlag } from './context.ts'
import { report } from './exit.ts'

interface Handler<Flags, Args extends readonly unknown[]> {
  run: (context: CliContext, flags: Flags & JsonFlag, ...args: Args) => Promise<void>
}

interface Base<Flags, Args extends readonly unknown[]> {
  brief: string
  /** Printed by `--help` below the brief. */
  more?: string
  example: string
  /** Ends the usage line, after the flags. */
  rest?: string
  aliases?: Aliases<keyof Flags & string>
  load: () => Promise<Handler<Flags, Args>>
}

/** Flags and arguments have the types that the handler takes, and are left out where it takes none. */
type Declaration<Flags, Args extends readonly unknown[]> = Base<Flags, Args> &
  (keyof Flags extends never ? { flags?: never } : { flags: FlagParametersForType<Flags, CliContext> }) &
  (Args extends readonly [] ? { args?: never } : { args: TypedPositionalParameters<Args, CliContext> })

const json = { kind: 'boolean', brief: 'Print JSON', optional: true, withNegated: false } as const

/** Declares a command. Its handler is loaded when it runs, and its errors become exit codes. */
export const command = <Flags extends object, Args extends readonly unknown[]>(
  declaration: Declaration<Flags, Args>,
): Command<CliContext> => {
  const { brief, more, example, rest, aliases, load } = declaration
  const flags: Record<string, Named> = { ...declaration.flags, json }
  const args: Positionals = declaration.args ?? { kind: 'tuple', parameters: [] }
  return buildCommand<Flags & JsonFlag, Args, CliContext>({
    docs: {
      brief,
      fullDescription: [brief, ...(more === undefined ? [] : [more]), `EXAMPLE\n  ${example}`].join('\n\n'),
      // A getter: only `--help` needs it, and every start declares every command.
      get customUsage() {
        const words =
          args.kind === 'array'
            ? [`[<${args.parameter.placeholder}>]…`]
            : args.parameters.map(({ placeholder, optional }) => (optional ? `[<${placeholder}>]` : `<${placeholder}>`))
        const options = Object.entries(flags).map(([name, { placeholder, values, variadic, optional }]) => {
          const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
          const value = placeholder ?? values?.join('|')
          const usage = value === undefined ? flag : `${flag} ${value}`
          return `${optional ? `[${usage}]` : usage}${variadic ? '…' : ''}`
        })
        return [[...words, ...options, ...(rest === undefined ? [] : [rest])].join(' ')]
      },
    },
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
}

interface Named {
  placeholder?: string
  optional?: boolean
  values?: readonly string[]
  variadic?: unknown
}

type Positionals = { kind: 'tuple'; parameters: readonly Named[] } | { kind: 'array'; parameter: Named }
