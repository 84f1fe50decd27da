import { z } from 'zod'
import { errorCodes } from './errors.ts'
import { LiveEvent } from './live.ts'
import { LogLine } from './record.ts'
import * as agents from './routes/agents.ts'
import { routes } from './routes/all.ts'
import * as bundles from './routes/bundles.ts'
import * as channels from './routes/channels.ts'
import * as daemon from './routes/daemon.ts'
import * as deployments from './routes/deployments.ts'
import * as directives from './routes/directives.ts'
import * as leases from './routes/leases.ts'
import * as loops from './routes/loops.ts'
import * as memory from './routes/memory.ts'
import * as notes from './routes/notes.ts'
import * as replay from './routes/replay.ts'
import { type Card, ProgressOutput } from './routes/route.ts'
import * as rules from './routes/rules.ts'
import * as sessions from './routes/sessions.ts'
import * as story from './routes/story.ts'
import * as tasks from './routes/tasks.ts'
import * as team from './routes/team.ts'

type Json = Record<string, unknown>

const ErrorBody = z.object({
  error: z.object({ code: z.enum(errorCodes), message: z.string(), hint: z.string().optional() }),
})

/** The page docs/openapi.json: every route, from its card. */
export const openApiText = (): string => `${print(openApi(), '')}\n`

const widest = 120

/** What fits on a line stands on one: a page that people compare, too. */
const print = (value: unknown, indent: string): string => {
  const line = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= widest) return line
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((each) => print(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${print(each, inner)}`)
  return `${open}\n${parts.map((part) => `${inner}${part}`).join(',\n')}\n${indent}${close}`
}

const openApi = (): Json => {
  const paths = pathsOf(Object.entries(routes))
  return {
    openapi: '3.1.0',
    info: { title: 'Rein', version: 'v1', description },
    servers: [{ url: '/', description: 'the socket, or the port of 127.0.0.1, that `rein paths` prints' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'on the port, not on the socket' } },
      responses: {
        error: { description: 'what went wrong, and what to do next', content: jsonOf(refTo('ErrorBody')) },
      },
      schemas: neededBy(paths, ['ErrorBody']),
    },
  }
}

const description =
  'What the daemon answers, over its Unix socket and over its loopback port. `x-rein-scope` says what a caller is let do, `x-rein-agents` whether an agent may ask, `x-rein-limit-ms` how long a client waits if not 30 s, `x-rein-commands` which commands print the answer with `--json`.'

const pathsOf = (cards: [string, Card][]): Json => {
  const paths: Record<string, Json> = {}
  for (const [name, card] of cards) {
    const path = card.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [card.method.toLowerCase()]: operationOf(name, card) }
  }
  return paths
}

const operationOf = (name: string, card: Card): Json => ({
  operationId: name,
  tags: [card.path.split('/').find((part) => part !== '' && part !== 'v1')],
  summary: card.help,
  ...inputOf(card),
  responses: {
    200: { description: card.help, content: { [mediaOf(card)]: { schema: answerOf(name, card) } } },
    default: { $ref: '#/components/responses/error' },
  },
  'x-rein-scope': card.scope,
  'x-rein-agents': card.agentMay ?? false,
  ...(card.limitMs === undefined ? {} : { 'x-rein-limit-ms': card.limitMs }),
  ...(card.commands === undefined ? {} : { 'x-rein-commands': card.commands }),
})

const mediaOf = ({ media, stream, progress }: Card): string =>
  media ?? (stream || progress ? 'application/x-ndjson' : 'application/json')

const answerOf = (name: string, { progress, output }: Card): Json => {
  const named = registry.get(output)
  const schema = named === undefined ? withoutMeta(z.toJSONSchema(output)) : refTo(named.id)
  if (named === undefined && output instanceof z.ZodObject) throw new Error(`The output of ${name} is not exported.`)
  if (!progress) return schema
  const result = { type: 'object', properties: { result: schema }, required: ['result'] }
  return { anyOf: [withoutMeta(z.toJSONSchema(ProgressOutput)), result] }
}

const inputOf = ({ method, path, input }: Card): Json => {
  const schema = input === undefined ? null : withoutMeta(z.toJSONSchema(input, { io: 'input' }))
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: text }))
  const parameters = [...inPath, ...(method === 'GET' && schema !== null ? queryOf(schema) : [])]
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(method === 'POST' && schema !== null ? { requestBody: { required: true, content: jsonOf(schema) } } : {}),
  }
}

const text = { type: 'string' }

const queryOf = ({ properties, required }: Json): Json[] =>
  Object.entries(properties as Record<string, Json>).map(([name, { description: about, ...schema }]) => ({
    name,
    in: 'query',
    ...(about === undefined ? {} : { description: about }),
    required: (required as string[] | undefined)?.includes(name) ?? false,
    schema,
  }))

const jsonOf = (schema: Json): Json => ({ 'application/json': { schema } })

const home = '#/components/schemas/'
const refTo = (id: string): Json => ({ $ref: `${home}${id}` })

/** What is exported has a name, and is described once. */
const namesOf = (modules: Record<string, unknown>[]) => {
  const names = z.registry<{ id: string }>()
  for (const [name, value] of modules.flatMap((each) => Object.entries(each)))
    if (value instanceof z.ZodType && !name.endsWith('Input')) names.add(value, { id: name })
  return names
}

const registry = namesOf([
  { ErrorBody, LiveEvent, LogLine },
  agents,
  bundles,
  channels,
  daemon,
  deployments,
  directives,
  leases,
  loops,
  notes,
  replay,
  rules,
  sessions,
  story,
  tasks,
  team,
  // Of a command that asks no route, and has the name of an answer.
  Object.fromEntries(Object.entries(memory).filter(([name]) => name !== 'ImportOutput')),
])

/** The schemas that these paths lead to, by their names. */
const neededBy = (paths: Json, first: string[]): Json => {
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `${home}${id}` })
  const needed = new Map<string, Json>()
  const take = (ids: string[]): void => {
    for (const id of ids.filter((each) => !needed.has(each))) {
      const schema = withoutMeta(schemas[id] ?? {})
      needed.set(id, schema)
      take(refsIn(schema))
    }
  }
  take([...first, ...refsIn(paths)])
  return Object.fromEntries([...needed].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const refsIn = (value: Json): string[] =>
  [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, id = '']) => id)

const withoutMeta = ({ $schema: _schema, $id: _id, ...schema }: Json): Json => schema
