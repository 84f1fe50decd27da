/** Harmless answers to what a CLI asks the model beside the work itself. */
import { z } from 'zod'

export const compactionSummary = '<summary>\nThe earlier part of the conversation was summarised.\n</summary>'

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

/** A query that asks for JSON of a shape gets the smallest value of that shape. */
export const answerSideQuery = (schema: unknown): string => {
  const wanted = Schema.safeParse(schema)
  return wanted.success ? JSON.stringify(smallest(wanted.data)) : 'none'
}

const smallest = (schema: Schema): unknown => {
  if (schema.enum !== undefined) return schema.enum[0]
  switch (schema.type?.toLowerCase()) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, value]) => [key, smallest(value)]))
    case 'array':
      return []
    case 'boolean':
      return true
    case 'number':
    case 'integer':
      return 1
    default:
      return 'Scripted task'
  }
}
