import { z } from 'zod'
import { route, type Routes } from './route.ts'

/** In the words of the CLI that has called. */
const HookAnswer = z.record(z.string(), z.unknown())
/** The text that `bin/rein-guard` passes on to its CLI; empty if there is none. */
const GuardAnswer = z.string()
const McpMessage = z.record(z.string(), z.unknown())

/** Calls of the agent CLIs themselves. */
export const callRoutes = {
  hook: route({
    method: 'POST',
    path: '/v1/hooks/:driver/:event',
    output: HookAnswer,
    media: 'application/json',
    scope: 'tell',
    agentMay: true,
    help: 'A hook of an agent CLI; 204 where Rein has nothing to say.',
  }),
  guard: route({
    method: 'POST',
    path: '/v1/guard/:driver/:event',
    output: GuardAnswer,
    media: 'text/plain',
    scope: 'tell',
    agentMay: true,
    help: 'A guard asks about a tool call.',
  }),
  mcp: route({
    method: 'POST',
    path: '/mcp',
    output: McpMessage,
    media: 'application/json',
    scope: 'tell',
    agentMay: true,
    help: 'A message of the Model Context Protocol; the query `cwd` says where its client works.',
  }),
} satisfies Routes
