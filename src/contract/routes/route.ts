import { z } from 'zod'
import type { Actor } from '../identity.ts'
import type { Scope } from '../scope.ts'
import type { ClientInput } from './fields.ts'

/** Everything that is known about one request: client, handlers, rights, limits and documents are derived from it. */
export interface Card {
  method: 'GET' | 'POST'
  /** `:name` stands for a parameter. */
  path: `/${string}`
  /** The query of a GET, the body of a POST. */
  input?: z.ZodType<object, object>
  output: z.ZodType
  /** Answered by lines until the client leaves; `output` is one of them. */
  stream?: true
  /** Answered by lines that tell how far it is; the last one has the output. */
  progress?: true
  /** Answered in a form of its own: bound by hand, and no method of the client. */
  media?: string
  /** What a device needs for it. */
  scope: Scope
  /** Only over the socket, from this machine: closed to devices with any scope, and to tokens on the port. */
  isLocal?: true
  /** Whether agents may call it; all other routes are for people alone. */
  agentMay?: true
  /** How long a client waits, where that is not the usual time: for other programs, or the whole log. */
  limitMs?: number
  /** The commands that print the output with `--json`. */
  commands?: readonly string[]
  /** One line. */
  help: string
}

export type Routes = Record<string, Card>

export const route = <const C extends Card>(card: C): C => card

/** The names of the parameters in a path. */
export type ParamsIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type ParamsOf<C extends Card> = Record<ParamsIn<C['path']>, string>

/** The input of a handler, as its schema parsed it. */
export type InputOf<C extends Card> = C extends { input: infer I extends z.ZodType } ? z.output<I> : object

/** The argument of a client call: input and path parameters in one object; empty where there are neither. */
export type RequestOf<C extends Card> = C extends { input: infer I extends z.ZodType }
  ? ClientInput<I> & ParamsOf<C>
  : [ParamsIn<C['path']>] extends [never]
    ? Record<string, never>
    : ParamsOf<C>

export type OutputOf<C extends Card> = z.output<C['output']>

/** How far something is that takes its time. */
export const ProgressOutput = z.object({
  progress: z.object({
    what: z.string(),
    done: z.number(),
    total: z.number().describe('0 while it is not known'),
  }),
})
export type Progress = z.infer<typeof ProgressOutput>['progress']

/** One value of an answer: of one by lines, a line. */
export const lineOf = ({ progress, output }: Card): z.ZodType =>
  progress ? z.union([ProgressOutput, z.object({ result: output })]) : output

/** The lines of a long request: its progress, and at last its result. */
export type ProgressLine<T> = z.infer<typeof ProgressOutput> | { result: T }

/** One request, as its handler gets it. */
export interface Asked<C extends Card> {
  actor: Actor
  input: InputOf<C>
  params: ParamsOf<C>
  /** Aborted when the caller leaves, or the daemon begins to end. */
  signal: AbortSignal
}

type Answer<C extends Card> = C extends { stream: true }
  ? AsyncGenerator<OutputOf<C>>
  : C extends { progress: true }
    ? AsyncGenerator<ProgressLine<OutputOf<C>>>
    : OutputOf<C> | Promise<OutputOf<C>>

/** A handler for each card, but for those that are bound by hand. */
export type Handlers<R extends Routes> = {
  [Name in keyof R as R[Name] extends { media: string } ? never : Name]: (asked: Asked<R[Name]>) => Answer<R[Name]>
}
