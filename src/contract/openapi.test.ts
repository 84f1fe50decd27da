import { expect, test } from 'vitest'
import { openApiText } from './openapi.ts'
import { routes } from './routes/all.ts'
import { callRoutes } from './routes/calls.ts'
import type { Card } from './routes/route.ts'

type Json = Record<string, unknown>
interface Operation extends Json {
  operationId: string
  parameters?: { name: string; in: string; required: boolean }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> }
  responses: Record<string, { content: Record<string, { schema: Json }> }>
}

const page = JSON.parse(openApiText())
const operations = Object.values<Record<string, Operation>>(page.paths).flatMap((path) => Object.values(path))
const named = (name: string): Operation => {
  const found = operations.find(({ operationId }) => operationId === name)
  if (found === undefined) throw new Error(`There is no ${name}.`)
  return found
}

/** Of what is asked, or answered, with JSON or lines of JSON. */
const schemasOf = ({ content }: { content: Record<string, { schema: Json }> }): Json[] =>
  Object.values(content).map(({ schema }) => schema)

test('has every route once, but for those that CLIs call in forms of their own', () => {
  const described = Object.keys(routes).filter((name) => !(name in callRoutes))
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(described.toSorted())
  expect(page.info.description).toContain('Hooks, guards and MCP are left out')
})

test('refers to nothing that it does not have', () => {
  const refs = [...openApiText().matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
  expect(new Set(refs)).toEqual(new Set(Object.keys(page.components.schemas)))
  expect(
    Object.entries<Json>(page.components.schemas).filter(([, schema]) => Object.keys(schema).length === 0),
  ).toEqual([])
})

interface Needs {
  required?: string[]
  oneOf?: unknown
}

test('every POST has a body of JSON, which the gate asks for, and needs one only where fields are needed', () => {
  const posts = Object.values<Record<string, Operation>>(page.paths).flatMap(({ post }) => post ?? [])
  expect(posts.filter(({ requestBody }) => requestBody?.content['application/json'] === undefined)).toEqual([])
  const unlike = posts.filter(({ requestBody }) => {
    const { required: fields, oneOf } = (requestBody?.content['application/json']?.schema ?? {}) as Needs
    return requestBody?.required !== ((fields !== undefined && fields.length > 0) || oneOf !== undefined)
  })
  expect(unlike.map(({ operationId }) => operationId)).toEqual([])
  for (const name of ['read', 'ack', 'channelToken', 'take', 'stop'])
    expect(named(name).requestBody?.required).toBe(false)
  expect(named('tell').requestBody?.required).toBe(true)
})

test('answers may get new fields', () => {
  const answers = operations.flatMap(({ responses }) => schemasOf(responses['200'] ?? { content: {} }))
  expect(answers.length).toBeGreaterThanOrEqual(operations.length)
  expect(JSON.stringify([answers, page.components])).not.toContain('"additionalProperties":false')
})

test('the last line of an answer by lines may be an error, that of no other answer', () => {
  const error = { $ref: '#/components/schemas/ErrorBody' }
  const mayFail = operations.filter((one) => JSON.stringify(one.responses['200']).includes(JSON.stringify(error)))
  const byLines = Object.entries<Card>(routes).filter(([, { stream, progress }]) => stream || progress)
  expect(mayFail.map(({ operationId }) => operationId).toSorted()).toEqual(byLines.map(([name]) => name).toSorted())
  expect(named('follow').responses['200']?.content['application/x-ndjson']?.schema).toEqual({
    anyOf: [{ $ref: '#/components/schemas/ReceiptOutput' }, error],
  })
})

test('a message has its forms beside JSON, an event stream the header with which it goes on', () => {
  const { requestBody, parameters, responses } = named('receive')
  expect(Object.keys(requestBody?.content ?? {})).toContain('text/plain')
  expect(parameters).toContainEqual(expect.objectContaining({ name: 'Idempotency-Key', in: 'header' }))
  expect(parameters).toContainEqual(expect.objectContaining({ name: 'X-Hub-Signature-256', in: 'header' }))
  expect(Object.keys(responses)).toEqual(['200', '204', 'default'])
  expect(Object.keys(responses['200']?.content ?? {})).toEqual(['application/json', 'text/plain'])
  expect(named('turns').parameters).toContainEqual(expect.objectContaining({ name: 'Last-Event-ID', in: 'header' }))
})

test('a path and a query have their parameters, a body its schema', () => {
  expect(named('follow').parameters).toMatchObject([
    { name: 'id', in: 'path', required: true },
    { name: 'until', in: 'query', required: false },
  ])
  expect(named('sessions').parameters).toMatchObject([
    { name: 'cwd', required: false },
    { name: 'project', required: false },
    { name: 'all' },
    { name: 'limit' },
  ])
  expect(named('forget').requestBody?.content).toMatchObject({
    'application/json': { schema: { oneOf: [{ required: ['cwd'] }, { required: ['project'] }] } },
  })
  expect(named('ack').requestBody?.content).toMatchObject({
    'application/json': { schema: { type: 'object', properties: { note: { type: 'string' } } } },
  })
})

test('says what comes by lines, who may ask and how long it may take', () => {
  expect(Object.keys(named('rewind').responses['200']?.content ?? {})).toEqual(['application/x-ndjson'])
  expect(named('rewind')).toMatchObject({ 'x-rein-scope': 'files', 'x-rein-agents': false })
  expect(named('up')).toMatchObject({ 'x-rein-limit-ms': 120_000, 'x-rein-commands': ['rein up', 'rein here'] })
})
