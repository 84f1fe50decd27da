import { expect, test } from 'vitest'
import { openApiText } from './openapi.ts'
import { routes } from './routes/all.ts'

type Json = Record<string, unknown>
interface Operation extends Json {
  operationId: string
  parameters?: { name: string; in: string; required: boolean }[]
  requestBody?: { content: Json }
  responses: { 200: { content: Json } }
}

const page = JSON.parse(openApiText())
const operations = Object.values<Record<string, Operation>>(page.paths).flatMap((path) => Object.values(path))
const named = (name: string): Operation => {
  const found = operations.find(({ operationId }) => operationId === name)
  if (found === undefined) throw new Error(`There is no ${name}.`)
  return found
}

test('has every route once', () => {
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(routes).toSorted())
})

test('refers to nothing that it does not have', () => {
  const refs = [...openApiText().matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
  expect(new Set(refs)).toEqual(new Set(Object.keys(page.components.schemas)))
})

test('a path and a query have their parameters, a body its schema', () => {
  expect(named('follow').parameters).toMatchObject([
    { name: 'id', in: 'path', required: true },
    { name: 'until', in: 'query', required: false },
  ])
  expect(named('sessions').parameters).toMatchObject([
    { name: 'cwd', required: true },
    { name: 'all' },
    { name: 'limit' },
  ])
  expect(named('ack').requestBody?.content).toMatchObject({
    'application/json': { schema: { type: 'object', properties: { note: { type: 'string' } } } },
  })
})

test('says what comes by lines, who may ask and how long it may take', () => {
  expect(Object.keys(named('rewind').responses[200].content)).toEqual(['application/x-ndjson'])
  expect(named('rewind')).toMatchObject({ 'x-rein-scope': 'files', 'x-rein-agents': false })
  expect(named('up')).toMatchObject({ 'x-rein-limit-ms': 120_000, 'x-rein-commands': ['rein up', 'rein here'] })
})
