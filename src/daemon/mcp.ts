import type { ServerResponse } from 'node:http'
import type { Actor } from '../contract/identity.ts'
import type { Features } from './features.ts'

/** Answers one MCP request; the packages of MCP are loaded at the first one. */
export const answerMcp = async (
  { agents, mcpTools }: Features,
  actor: Actor,
  cwd: string | undefined,
  request: Request,
  outgoing: ServerResponse,
): Promise<Response> => {
  const { serveMcp } = await import('../mcp/server.ts')
  const own = actor.kind === 'agent' ? agents.supervisor.get(actor.id)?.cwd : undefined
  const onAnswered = (run: () => void): void => void outgoing.once('finish', run)
  return serveMcp(request, { actor, cwd: own ?? cwd ?? '', onAnswered }, mcpTools)
}
