import { z } from 'zod'
import { turnPattern } from '../handle.ts'

/** In a query string every value is text. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])])
  .transform((value) => value === true || value === 'true')
  .default(false)
export const count = z.coerce.number<number>().int().min(0)
export const time = (what: string) => z.number().describe(`${what}, milliseconds since 1970`)
export const turnLabel = z
  .string()
  .regex(turnPattern, 'a turn is a number, like 3, or 3b for the second of that number')

const here = z.object({
  cwd: z.string().optional().describe('the directory of the caller, whose project is meant; or `project`, not both'),
  project: z.string().min(1).optional().describe('the project by its name, from wherever there is no directory'),
})
/** Where a request belongs: to the project of a directory, or to one that is named. An agent always means its own. */
export const HereInput = here.refine(({ cwd, project }) => (cwd === undefined) !== (project === undefined), {
  error: 'give either cwd or project, and not both',
})
export type Here = z.infer<typeof here>
type Located<Input> = 'project' extends keyof Input
  ? Omit<Input, keyof Here> & ({ cwd: string; project?: undefined } | { cwd?: undefined; project: string })
  : Input
/** An input as a client gives it: with one of both, which no schema can say. */
export type ClientInput<I extends z.ZodType> = Located<z.input<I>>
/** The agent that a request names: `handle` in that project, else a unique match; `project/handle` is exact. */
export const Target = HereInput.extend({ target: z.string().min(1) })
/** An agent that names no other means itself. */
export const TargetOrSelf = HereInput.extend({ target: z.string().min(1).optional() })
