import { z } from 'zod'
import { errorCodes } from './errors.ts'
import { LiveEvent } from './live.ts'
import { type Forms, formsByHand } from './openapi-forms.ts'
import { LogLine } from './record.ts'
import { routeModules, routes } from './routes/all.ts'
import { callRoutes } from './routes/calls.ts'
import { type Card, lineOf, ProgressOutput } from './routes/route.ts'

type Json = Record<string, unknown>

const ErrorBody = z.object({
  error: z.object({ code: z.enum(errorCodes), message: z.string(), hint: z.string().optional() }),
})

/** The page docs/openapi.json: every route, from its card. */
export const openApiText = (): string => `${print(openApi(), '')}\n`

const widest = 120

/** Prints values on one line where they fit, so that diffs stay readable. */
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
  const paths = pathsOf(Object.entries<Card>(routes).filter(([name]) => !(name in callRoutes)))
  // The schemas that these paths lead to, by their names.
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `${home}${id}`, override: open })
  const needed = new Map<string, Json>()
  const take = (ids: string[]): void => {
    for (const id of ids.filter((each) => !needed.has(each))) {
      const described = schemas[id]
      if (described === undefined) throw new Error(`No schema is named ${id}.`)
      const schema = withoutMeta(described)
      needed.set(id, schema)
      take(refsIn(schema))
    }
  }
  take(['ErrorBody', ...refsIn(paths)])
  return {
    openapi: '3.1.0',
    info: { title: 'Rein', version: 'v1', description },
    servers: [{ url: '/', description: 'the socket, or the port of 127.0.0.1, that `rein config paths` prints' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'on the port, not on the socket' } },
      responses: {
        error: {
          description: 'what went wrong, and what to do next; a 403 of the gate of the port has no body',
          content: jsonOf(refTo('ErrorBody')),
        },
      },
      schemas: Object.fromEntries([...needed].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

const description = [
  'What the daemon answers, over its Unix socket and over its loopback port.',
  'The gate of the port answers 403 without a body unless `Host` is the loopback port, `Origin` and `Sec-Fetch-Site` are absent or name the same origin, and a POST has the content type `application/json`, also one with an empty body; only messages for a channel have any content type.',
  'Answers may get new fields at any time.',
  'An answer by lines that fails after its first line ends with an error as its last line.',
  '`x-rein-agents` says whether an agent may ask, `x-rein-limit-ms` how long a client waits if not 30 s, `x-rein-commands` which commands print the answer with `--json`; `x-rein-scope` is reserved for the rights of devices, and nothing enforces it yet.',
  'Hooks, guards and MCP are left out: the files that `rein setup` writes call the first two in forms that change with them, and the Model Context Protocol has a specification of its own.',
].join(' ')

const pathsOf = (cards: [string, Card][]): Json => {
  const paths: Record<string, Json> = {}
  for (const [name, card] of cards) {
    const path = card.path.replaceAll(/:(\w+)/g, '{$1}')
    const forms = formsByHand[name]
    paths[path] = {
      ...paths[path],
      [card.method.toLowerCase()]: {
        operationId: name,
        tags: [card.path.split('/').find((part) => part !== '' && part !== 'v1')],
        summary: card.help,
        ...(forms === undefined ? {} : { description: forms.description }),
        ...(forms?.security === undefined ? {} : { security: forms.security }),
        ...inputOf(card, forms),
        responses: {
          200: {
            description: card.help,
            content: {
              [card.media ?? (card.stream || card.progress ? 'application/x-ndjson' : 'application/json')]: {
                schema: answerOf(name, card),
              },
              ...forms?.answers,
            },
          },
          ...forms?.responses,
          default: { $ref: '#/components/responses/error' },
        },
        'x-rein-scope': card.scope,
        'x-rein-agents': card.agentMay ?? false,
        ...(card.limitMs === undefined ? {} : { 'x-rein-limit-ms': card.limitMs }),
        ...(card.commands === undefined ? {} : { 'x-rein-commands': card.commands }),
      },
    }
  }
  return paths
}

/** The last line of an answer by lines may be an error. */
const answerOf = (name: string, card: Card): Json => {
  const { output, stream, progress } = card
  if (output instanceof z.ZodObject && !registry.has(output)) throw new Error(`The output of ${name} is not exported.`)
  // The schema of an answer, with those that have a name in their own place.
  const schema = stream || progress ? z.union([lineOf(card), ErrorBody]) : output
  const named = registry.get(schema)
  if (named !== undefined) return refTo(named.id)
  const { $schema: _schema, $defs: _named, ...made } = z.toJSONSchema(schema, { metadata: registry, override: open })
  return JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', `"${home}`))
}

/** An answer may get new fields. */
const open = ({ jsonSchema }: { jsonSchema: Json }): void => {
  if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties']
}

const inputOf = ({ method, path, input }: Card, forms?: Forms): Json => {
  const schema =
    input === undefined
      ? { type: 'object' }
      : { ...withoutMeta(z.toJSONSchema(input, { io: 'input' })), ...needOf(input) }
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: text }))
  const parameters = [...inPath, ...(method === 'GET' ? queryOf(schema) : []), ...(forms?.parameters ?? [])]
  // Every POST has one, for the gate looks at its content type; an empty one stands for no fields.
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(method === 'POST'
      ? {
          requestBody: {
            required: input !== undefined && !input.safeParse({}).success,
            content: { ...jsonOf(schema), ...forms?.bodies },
          },
        }
      : {}),
  }
}

/** What a refinement checks, a schema has to be told. */
const needOf = (input: z.ZodType): Json =>
  input instanceof z.ZodObject && 'cwd' in input.shape && 'project' in input.shape
    ? { oneOf: [{ required: ['cwd'] }, { required: ['project'] }] }
    : {}

const text = { type: 'string' }

const queryOf = ({ properties, required }: Json): Json[] =>
  Object.entries((properties ?? {}) as Record<string, Json>).map(([name, { description: about, ...schema }]) => ({
    name,
    in: 'query',
    ...(about === undefined ? {} : { description: about }),
    required: (required as string[] | undefined)?.includes(name) ?? false,
    schema,
  }))

const jsonOf = (schema: Json): Json => ({ 'application/json': { schema } })

const home = '#/components/schemas/'
const refTo = (id: string): Json => ({ $ref: `${home}${id}` })

/** Exported schemas have a name, and are described once. */
const registry = z.registry<{ id: string }>()
for (const [name, value] of [{ ErrorBody, LiveEvent, LogLine, ProgressOutput }, ...routeModules].flatMap(
  Object.entries,
))
  if (value instanceof z.ZodType && !name.endsWith('Input')) registry.add(value, { id: name })

const refsIn = (value: Json): string[] =>
  [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, id = '']) => id)

const withoutMeta = ({ $schema: _schema, $id: _id, ...schema }: Json): Json => schema
