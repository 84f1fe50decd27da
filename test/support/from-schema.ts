import * as fc from 'fast-check'
import { z } from 'zod'
import { anyText } from './any-text.ts'

/** Values that a schema accepts as they are, and that survive JSON: what has a default is always there. */
export const fromSchema = (schema: z.ZodType): fc.Arbitrary<unknown> => {
  if (schema instanceof z.ZodString) return textOf(schema)
  if (schema instanceof z.ZodNumber) return fc.nat().filter((value) => schema.safeParse(value).success)
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodUnknown) return fc.jsonValue().filter((value) => !Object.is(value, -0))
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options)
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values)
  if (schema instanceof z.ZodNullable) return fc.option(fromSchema(schema.unwrap() as z.ZodType))
  if (schema instanceof z.ZodOptional) return fromSchema(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodDefault) return fromSchema(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodArray) return fc.array(fromSchema(schema.element as z.ZodType), { maxLength: 3 })
  if (schema instanceof z.ZodRecord) return dictionaryOf(schema)
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map((each) => fromSchema(each as z.ZodType)))
  if (schema instanceof z.ZodObject) return objectOf(schema.shape)
  throw new Error(`fromSchema does not know ${schema.type}: add it, or give the body in test/support/arbitraries.ts.`)
}

const textOf = (schema: z.ZodString): fc.Arbitrary<string> => {
  const { pattern } = z.toJSONSchema(schema)
  const text = pattern === undefined ? anyText : fc.stringMatching(new RegExp(pattern))
  return text.filter((value) => schema.safeParse(value).success)
}

const dictionaryOf = (schema: z.ZodRecord): fc.Arbitrary<unknown> => {
  const key = fc.string({ minLength: 1, maxLength: 4 }).filter((name) => name !== '__proto__')
  return fc.dictionary(key, fromSchema(schema.valueType as z.ZodType), { noNullPrototype: true, maxKeys: 2 })
}

/** Optional fields are there or not. */
const objectOf = (shape: Record<string, z.ZodType>): fc.Arbitrary<unknown> =>
  fc.record(Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, fromSchema(field)])), {
    requiredKeys: Object.keys(shape).filter((name) => !(shape[name] instanceof z.ZodOptional)),
    noNullPrototype: true,
  })
