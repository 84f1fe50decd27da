import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { routes } from './all.ts'
import { callRoutes } from './calls.ts'
import { type Card, type InputOf, type OutputOf, type ParamsIn, type RequestOf, route } from './route.ts'

const cards: [string, Card][] = Object.entries(routes)

describe('the cards', () => {
  test('let agents call the routes that docs/openapi.json leaves out; it pins the rights of all others', () => {
    expect(Object.entries<Card>(callRoutes).filter(([, { agentMay }]) => agentMay !== true)).toEqual([])
  })

  test('are each of another request', () => {
    const asked = cards.map(([, { method, path }]) => `${method} ${path.replaceAll(/:\w+/g, ':')}`)
    expect(new Set(asked).size).toBe(asked.length)
  })

  test('name no parameter of a path as a field of the input', () => {
    const fields = ({ input }: Card): string[] => (input instanceof z.ZodObject ? Object.keys(input.shape) : [])
    const doubled = cards.filter(([, card]) => fields(card).some((field) => card.path.includes(`:${field}`)))
    expect(doubled).toEqual([])
  })

  test('bound each list that a caller gives', () => {
    const unbounded = cards.flatMap(([name, { input }]) =>
      input === undefined ? [] : findUnbounded(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }), name),
    )
    expect(unbounded).toEqual([])
  })

  test('take each topic of a feed once, and no more than there are', () => {
    const read = (topics: unknown) => routes.feed.input.safeParse({ topics }).data?.topics
    expect([read(['chats', 'turns', 'chats']), read('chats,chats')]).toEqual([['chats', 'turns'], ['chats']])
    expect([read(Array(1000).fill('chats')), read(Array(1000).fill('chats').join(','))]).toEqual([undefined, undefined])
  })

  test('are of features that share no name', async () => {
    expect((await namesOfAllFeatures()).toSorted()).toEqual(Object.keys(routes).toSorted())
  })

  test('say in one sentence what each does', () => {
    expect(cards.filter(([, { help }]) => !/^[A-Z].{5,110}\.$/.test(help))).toEqual([])
  })

  test('name a command once', () => {
    const commands = cards.flatMap(([, card]) => card.commands ?? [])
    expect(new Set(commands).size).toBe(commands.length)
  })
})

/** The lists in a schema that may be of any length. */
const findUnbounded = (schema: unknown, path: string): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'type' in schema && schema.type === 'array' && !('maxItems' in schema) ? [path] : []
  return [...own, ...Object.entries(schema).flatMap(([name, inner]) => findUnbounded(inner, `${path}.${name}`))]
}

/** In the order of their files, also of those that nobody has put together with the others. */
const namesOfAllFeatures = async (): Promise<string[]> => {
  const files = readdirSync(import.meta.dirname).filter((file) => !/^(all|.*\.test)\.ts$/.test(file))
  const paths = files.map((file) => join(import.meta.dirname, file))
  const modules = await Promise.all(paths.map((path): Promise<Record<string, object>> => import(path)))
  const tables = modules.flatMap((module) => Object.entries(module)).filter(([name]) => name.endsWith('Routes'))
  return tables.flatMap(([, table]) => Object.keys(table))
}

describe('types', () => {
  const card = route({
    method: 'POST',
    path: '/v1/things/:id/parts/:part',
    input: z.object({ size: z.coerce.number<number>().default(1), why: z.string().optional() }),
    output: z.object({ at: z.number() }),
    scope: 'tell',
    help: 'Makes a part.',
  })
  type Making = typeof card

  test('parameters are those of the path', () => {
    expectTypeOf<ParamsIn<Making['path']>>().toEqualTypeOf<'id' | 'part'>()
    expectTypeOf<ParamsIn<'/v1/things'>>().toEqualTypeOf<never>()
    expect([...card.path.matchAll(/:(\w+)/g)].map(([, name]) => name)).toEqual(['id', 'part'])
  })

  test('a caller gives parameters and input in one object, a handler gets the input with its defaults', () => {
    expectTypeOf<{ id: string; part: string }>().toExtend<RequestOf<Making>>()
    expectTypeOf<{ id: string; part: string; size: string }>().not.toExtend<RequestOf<Making>>()
    expectTypeOf<{ id: string }>().not.toExtend<RequestOf<Making>>()
    expectTypeOf<InputOf<Making>>().toEqualTypeOf<{ size: number; why?: string | undefined }>()
    expectTypeOf<OutputOf<Making>>().toEqualTypeOf<{ at: number }>()
    expect(card.input.parse({})).toEqual({ size: 1 })
  })

  test('a caller gives nothing where there is neither input nor parameter', () => {
    expectTypeOf<RequestOf<typeof routes.collectSessions>>().toEqualTypeOf<Record<string, never>>()
    expectTypeOf<{ cwd: string }>().not.toExtend<RequestOf<typeof routes.collectSessions>>()
    expectTypeOf<RequestOf<typeof routes.cancel>>().toEqualTypeOf<{ id: string }>()
    expect(routes.collectSessions).not.toHaveProperty('input')
  })
})
