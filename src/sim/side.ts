/** Harmless answers to what a CLI asks the model beside the work itself. */
import { z } from 'zod'
import type { MessagesBody } from './request.ts'

export const SUMMARY = '<summary>\nThe earlier part of the conversation was summarised.\n</summary>'

interface Schema {
  type?: string | undefined
  enum?: unknown[] | undefined
  properties?: Record<string, Schema> | undefined
}

const Schema: z.ZodType<Schema> = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  properties: z
    .record(
      z.string(),
      z.lazy(() => Schema),
    )
    .optional(),
})
const WantsJson = z.looseObject({ output_config: z.looseObject({ format: z.looseObject({ schema: Schema }) }) })

/** A query that asks for JSON of a shape gets the smallest value of that shape. */
export function sideAnswer(body: MessagesBody): string {
  const wanted = WantsJson.safeParse(body)
  return wanted.success ? JSON.stringify(smallest(wanted.data.output_config.format.schema)) : 'none'
}

function smallest(schema: Schema): unknown {
  if (schema.enum !== undefined) return schema.enum[0]
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, value]) => [key, smallest(value)]))
    case 'array':
      return []
    case 'boolean':
      return true
    case 'number':
    case 'integer':
      return 0
    default:
      return 'Scripted task'
  }
}
