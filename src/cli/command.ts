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

interface Declaration<Flags, Args extends readonly unknown[]> {
  brief: string
  /** What else there is to know. */
  more?: string
  example: string
  /** What may follow the flags. */
  rest?: string
  flags: FlagParametersForType<Flags, CliContext>
  aliases?: Aliases<keyof Flags & string>
  args: TypedPositionalParameters<Args, CliContext>
  load: () => Promise<Handler<Flags, Args>>
}

const json = { kind: 'boolean', brief: 'Print JSON', optional: true, withNegated: false } as const

/** A command of Rein: its handler is loaded when it is run, and its failures become our exit codes. */
export const command = <Flags extends object, Args extends readonly unknown[]>(
  declaration: Declaration<Flags, Args>,
): Command<CliContext> => {
  const { brief, more, example, flags, aliases, args, load } = declaration
  return buildCommand<Flags & JsonFlag, Args, CliContext>({
    docs: {
      brief,
      fullDescription: [brief, ...(more === undefined ? [] : [more]), `EXAMPLE\n  ${example}`].join('\n\n'),
      // Put together when help is asked for, not for every command at every start.
      get customUsage() {
        return [usageLine(declaration)]
      },
    },
    parameters: { flags: { ...flags, json }, aliases, positional: args } as never,
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

const usageLine = <Flags, Args extends readonly unknown[]>({ args, flags, rest }: Declaration<Flags, Args>): string => {
  const words = positionalUsage(args)
  const options = Object.entries({ ...flags, json } as Record<string, Named>).map(optionUsage)
  return [...words, ...options, ...(rest === undefined ? [] : [rest])].join(' ')
}

type Positionals = { kind: 'tuple'; parameters: readonly Named[] } | { kind: 'array'; parameter: Named }

const positionalUsage = (args: Positionals): string[] => {
  if (args.kind === 'array') return [`[<${args.parameter.placeholder}>]…`]
  return args.parameters.map(({ placeholder, optional }) => (optional ? `[<${placeholder}>]` : `<${placeholder}>`))
}

const optionUsage = ([name, { placeholder, values, variadic, optional }]: [string, Named]): string => {
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const value = placeholder ?? values?.join('|')
  const usage = value === undefined ? flag : `${flag} ${value}`
  return `${optional ? `[${usage}]` : usage}${variadic ? '…' : ''}`
}
