import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import type { Deployment, SetupContext } from '../contract.ts'
import { instructions, managedCommand, marker, mcpServerKey, sharedCommand, skillDeployments } from '../deployed.ts'
import { quoted } from '../../base/util/shell.ts'
import { armingEvents, clientTimeoutSeconds, guarded, guardOptions, waiterOptions } from './assets.ts'
import { hookEvents, wake } from './capabilities.ts'
import { hasUserSkills } from './found-skills.ts'

/**
 * Hooks, skills and instructions, in a project into the files that are its user's alone; others get them only if that is wanted.
 * The user's MCP servers are in a file that only `claude mcp add` may write.
 */
export const deployment = (context: SetupContext): Deployment[] => {
  const { directory, settings, instructed } = places(context)
  // Skills that are the user's own need no second copy; teammates have only those of the project.
  const hasSkills = context.scope === 'project' && !isShared(context) && hasUserSkills(context.env)
  return [
    ...hookEvents(context.version).map((event) => hook(settings, event, context)),
    ...(hasSkills ? [] : skillDeployments(join(directory, 'skills'), context)),
    { kind: 'text-block', path: instructed, text: instructions },
    ...(isShared(context) ? [mcpServerKey(join(context.project, '.mcp.json'), context)] : []),
  ]
}

export const byHand = (context: SetupContext): string | null =>
  isShared(context) ? null : `claude mcp add --scope user rein -- ${context.mcp.map(quoted).join(' ')}`

const isShared = ({ scope, isShared: isWanted }: SetupContext): boolean => scope === 'project' && isWanted

const places = (context: SetupContext): { directory: string; settings: string; instructed: string } => {
  const { scope, project, env } = context
  const directory =
    scope === 'project'
      ? join(project, '.claude')
      : env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] || homedir(), '.claude')
  const file = (name: string): string => join(directory, name)
  if (scope === 'user') return { directory, settings: file('settings.json'), instructed: file('CLAUDE.md') }
  return isShared(context)
    ? { directory, settings: file('settings.json'), instructed: join(project, 'CLAUDE.md') }
    : { directory, settings: file('settings.local.json'), instructed: join(project, 'CLAUDE.local.md') }
}

const hook = (path: string, event: string, context: SetupContext): Deployment => {
  const { hook: program, waiter, guard, version } = context
  const command = (name: string, ...args: string[]): string =>
    isShared(context) ? sharedCommand(basename(name), ...args) : managedCommand(name, ...args)
  const client = { type: 'command', command: command(program, 'claude', event), timeout: clientTimeoutSeconds }
  const isArming = armingEvents.includes(event) && wake(version).kind === 'waiter'
  const hooks = [
    client,
    ...(isArming ? [{ type: 'command', command: command(waiter), ...waiterOptions }] : []),
    ...(event === guarded
      ? [{ type: 'command', command: command(guard, 'claude', event), ...guardOptions(version) }]
      : []),
  ]
  return { kind: 'json-items', path, at: ['hooks', event], items: [{ hooks }], marker }
}
