import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Deployment, SetupContext } from '../contract.ts'
import { instructions, managedCommand, marker, skillDeployments } from '../deployed.ts'
import { handlersFor, hookEvents } from './hooks.ts'
import { homeOf } from './transcript.ts'

/** Its sandbox has no network, not even to a socket: only what Codex itself calls gets out. */
const inSandbox = `If a sandbox keeps \`rein\` from reaching Rein, use the MCP tools \`ack_directive\` and \`read_inbox\` instead.`

/** Codex asks its user to review the hooks when it starts next, and runs none of them before. */
export const deployment = (context: SetupContext): Deployment[] => {
  const { scope, project } = context
  const directory = scope === 'project' ? join(project, '.codex') : homeOf(context.env)
  const instructed = join(scope === 'project' ? project : directory, 'AGENTS.md')
  const commands = {
    client: (event: string) => managedCommand(context.hook, 'codex', event),
    guard: (event: string) => managedCommand(context.guard, 'codex', event),
  }
  const hooks = hookEvents.map((event): Deployment => {
    const items = [{ hooks: handlersFor(event, commands) }]
    return { kind: 'json-items', path: join(directory, 'hooks.json'), at: ['hooks', event], items, marker }
  })
  // Not `rein`: that is the one of agents that Rein launches, and Codex would mix the two into one that it refuses.
  const [command = '', ...args] = context.mcp
  return [
    ...hooks,
    ...skillDeployments(join(directory, 'skills'), context),
    {
      kind: 'toml-table',
      path: join(directory, 'config.toml'),
      table: ['mcp_servers', 'rein-setup'],
      values: { command, args, default_tools_approval_mode: 'approve' },
    },
    // A new AGENTS.md would hide a CLAUDE.md from other CLIs.
    ...(existsSync(instructed)
      ? [{ kind: 'text-block' as const, path: instructed, text: `${instructions}\n${inSandbox}` }]
      : []),
  ]
}
