import type { z } from 'zod'
import type { Caller } from './caller.ts'

export interface OldTool<Input extends z.ZodObject> {
  description: string
  input: Input
  isReadOnly: boolean
  /** What the model gets to read. */
  run(caller: Caller, input: z.infer<Input>): Promise<string>
}

export const define = <Input extends z.ZodObject>(tool: OldTool<Input>): OldTool<Input> => tool
