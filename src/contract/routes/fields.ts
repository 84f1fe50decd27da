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

/** The project is that of the directory, or of the agent that asks. */
export const HereInput = z.object({ cwd: z.string() })
/** The agent that a command names: `handle` in the project of `cwd`, else a unique match; `project/handle` is exact. */
export const Target = z.object({ target: z.string().min(1), cwd: z.string() })
/** An agent that names no other means itself. */
export const TargetOrSelf = Target.partial({ target: true })
