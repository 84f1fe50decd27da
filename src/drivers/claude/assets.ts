import { readFileSync } from 'node:fs'
import { version as reinVersion } from '../../util/version.ts'
import type { Asset, DeployContext } from '../contract.ts'
import { hookEvents } from './capabilities.ts'

/** A plugin directory for `--plugin-dir`: hooks without a line in the user's settings. */
export const assets = (context: DeployContext): Asset[] => [
  json('.claude-plugin/plugin.json', {
    name: 'rein',
    version: reinVersion,
    description: 'Connects this conversation to Rein.',
    author: { name: 'Rein' },
  }),
  json('hooks/hooks.json', { hooks: hooks(context) }),
  { path: 'rein-hook', content: readFileSync(context.hookClient, 'utf8'), executable: true },
]

const json = (path: string, value: unknown): Asset => ({
  path,
  content: `${JSON.stringify(value, null, 2)}\n`,
  executable: false,
})

const hooks = (context: DeployContext): Record<string, unknown> =>
  Object.fromEntries(hookEvents(context.version).map((event) => [event, [{ hooks: [handler(event, context)] }]]))

/** The client has its own, much shorter deadlines; this one only ends a client that hangs. */
const timeoutSeconds = 5

const handler = (event: string, { transport }: DeployContext): Record<string, unknown> =>
  transport.kind === 'http' && event !== 'SessionStart' ? httpHandler(event, transport.url) : clientHandler(event)

/** `exec` makes the CLI itself the client's parent: that pid is how Rein knows whose call it is. */
const clientHandler = (event: string): Record<string, unknown> => ({
  type: 'command',
  command: `exec "\${CLAUDE_PLUGIN_ROOT}/rein-hook" claude ${event}`,
  timeout: timeoutSeconds,
})

const httpHandler = (event: string, url: string): Record<string, unknown> => ({
  type: 'http',
  url: `${url}/v1/hooks/claude/${event}`,
  headers: { authorization: 'Bearer $REIN_TOKEN' },
  allowedEnvVars: ['REIN_TOKEN'],
  timeout: timeoutSeconds,
})
