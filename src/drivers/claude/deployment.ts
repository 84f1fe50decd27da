import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Deployment, SetupContext } from '../contract.ts'
import { instructions, managedCommand, marker, skillDeployments } from '../deployed.ts'
import { armingEvents, clientTimeoutSeconds, guarded, guardOptions, waiterOptions } from './assets.ts'
import { hookEvents, wake } from './capabilities.ts'

/** Hooks, skills and instructions; the user's MCP servers are in a file that only `claude mcp add` may write. */
export const deployment = (context: SetupContext): Deployment[] => {
  const isProject = context.scope === 'project'
  const directory = isProject ? join(context.project, '.claude') : configDirectory(context.env)
  return [
    ...hookEvents(context.version).map((event) => hook(join(directory, 'settings.json'), event, context)),
    ...skillDeployments(join(directory, 'skills'), context),
    {
      kind: 'text-block',
      path: isProject ? join(context.project, 'CLAUDE.md') : join(directory, 'CLAUDE.md'),
      text: instructions,
    },
    ...(isProject ? [mcpServer(context)] : []),
  ]
}

const configDirectory = (env: NodeJS.ProcessEnv): string =>
  env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] || homedir(), '.claude')

const hook = (path: string, event: string, { hook: program, waiter, guard, version }: SetupContext): Deployment => {
  const client = { type: 'command', command: managedCommand(program, 'claude', event), timeout: clientTimeoutSeconds }
  const isArming = armingEvents.includes(event) && wake(version).kind === 'waiter'
  const hooks = [
    client,
    ...(isArming ? [{ type: 'command', command: managedCommand(waiter), ...waiterOptions }] : []),
    ...(event === guarded
      ? [{ type: 'command', command: managedCommand(guard, 'claude', event), ...guardOptions(version) }]
      : []),
  ]
  return { kind: 'json-items', path, at: ['hooks', event], items: [{ hooks }], marker }
}

const mcpServer = ({ project, mcp: [command = '', ...args] }: SetupContext): Deployment => ({
  kind: 'json-key',
  path: join(project, '.mcp.json'),
  at: ['mcpServers', 'rein'],
  value: { command, args },
})
