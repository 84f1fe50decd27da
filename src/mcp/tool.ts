import type { z } from 'zod'
import type { Caller } from './caller.ts'

export interface Tool<Input extends z.ZodObject> {
  description: string
  input: Input
  isReadOnly: boolean
  /** What the model gets to read. */
  run(caller: Caller, input: z.infer<Input>): Promise<string>
}

export const define = <Input extends z.ZodObject>(tool: Tool<Input>): Tool<Input> => tool

/** Others wrote this: in quotes and on one line it cannot pass for anything else. */
export const quoted = (text: string): string => JSON.stringify(text)
