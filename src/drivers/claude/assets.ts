import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version as reinVersion } from '../../base/util/version.ts'
import type { Asset, AssetContext } from '../contract.ts'
import { guardAsset, guardCommand, guardTimeoutSeconds } from '../guard.ts'
import { skillFiles } from '../skills.ts'
import { hasHttpHooks, hasOnFailure, hearsHooksTogether, hookEvents, wake } from './capabilities.ts'

/** A plugin directory for `--plugin-dir`: hooks without a line in the user's settings. */
export const assets = (context: AssetContext): Asset[] => [
  json('.claude-plugin/plugin.json', {
    name: 'rein',
    version: reinVersion,
    description: 'Connects this conversation to Rein.',
    author: { name: 'Rein' },
  }),
  json('hooks/hooks.json', { hooks: hooks(context) }),
  ...['rein-hook', 'rein-wait'].map((name) => program(name, context.programs)),
  guardAsset(context.programs),
  ...skillFiles(context.skills, 'skills'),
]

const program = (name: string, dir: string): Asset => ({
  path: name,
  content: readFileSync(join(dir, name), 'utf8'),
  executable: true,
})

const json = (path: string, value: unknown): Asset => ({
  path,
  content: `${JSON.stringify(value, null, 2)}\n`,
  executable: false,
})

const hooks = (context: AssetContext): Record<string, unknown> =>
  Object.fromEntries(hookEvents(context.version).map((event) => [event, [{ hooks: handlers(event, context) }]]))

/** A waiter is armed where a turn begins; at a stop they would pile up. A headless agent is woken by its stdin. */
export const armingEvents: readonly string[] = ['SessionStart', 'UserPromptSubmit']

const handlers = (event: string, context: AssetContext): Record<string, unknown>[] => {
  if (event === guarded && !hearsHooksTogether(context.version)) return [guardedClient(context)]
  const isArming = armingEvents.includes(event) && context.host !== 'stream' && wake(context.version).kind === 'waiter'
  return [handler(event, context), ...(isArming ? [waiter] : []), ...(event === guarded ? [guard(context)] : [])]
}

/** Where the guard stands: before each tool. */
export const guarded = 'PreToolUse'

/** What a guard's handler says beside its command: a failure of its own denies, where the CLI knows that. */
export const guardOptions = (version: string): Record<string, unknown> => ({
  timeout: guardTimeoutSeconds,
  ...(hasOnFailure(version) ? { onFailure: 'block' } : {}),
})

/** Always a command: it has to hold while nobody serves. */
const guard = ({ version }: AssetContext): Record<string, unknown> => ({
  type: 'command',
  command: guardCommand('"${CLAUDE_PLUGIN_ROOT}/rein-guard"', 'claude', guarded),
  ...guardOptions(version),
})

/** Both in one, the guard first: what it says is said, and else the client is asked. */
const guardedClient = ({ version }: AssetContext): Record<string, unknown> => ({
  type: 'command',
  command: [
    // The system's own programs first: the project may have put others on the PATH.
    'PATH="/usr/bin:/bin${PATH:+:$PATH}"; call=$(cat)',
    `said=$(printf '%s' "$call" | { ${guardCommand('"${CLAUDE_PLUGIN_ROOT}/rein-guard"', 'claude', guarded)}; }) || exit 2`,
    `if [ -n "$said" ]; then printf '%s\\n' "$said"; else printf '%s' "$call" | "\${CLAUDE_PLUGIN_ROOT}/rein-hook" claude ${guarded}; fi`,
  ].join('; '),
  ...guardOptions(version),
})

/** The client has its own, much shorter deadlines; this one only ends a client that hangs. */
export const clientTimeoutSeconds = 5

const handler = (event: string, { transport, version }: AssetContext): Record<string, unknown> => {
  const isByHttp = transport.kind === 'http' && hasHttpHooks(version) && event !== 'SessionStart'
  return isByHttp ? httpHandler(event, transport.url) : clientHandler(event)
}

/** `exec` makes the CLI itself the client's parent: that pid is how Rein knows whose call it is. */
const clientHandler = (event: string): Record<string, unknown> => ({
  type: 'command',
  command: `exec "\${CLAUDE_PLUGIN_ROOT}/rein-hook" claude ${event}`,
  timeout: clientTimeoutSeconds,
})

/** It waits for as long as the agent is idle. Over 24.8 days the CLI's own timer overflows and ends it at once. */
export const waiterOptions = {
  asyncRewake: true,
  rewakeSummary: 'Rein: something in the inbox',
  rewakeMessage: 'Rein says:',
  timeout: 24 * 24 * 60 * 60,
}
const waiter = { type: 'command', command: 'exec "${CLAUDE_PLUGIN_ROOT}/rein-wait"', ...waiterOptions }

const httpHandler = (event: string, url: string): Record<string, unknown> => ({
  type: 'http',
  url: `${url}/v1/hooks/claude/${event}`,
  headers: { authorization: 'Bearer $REIN_TOKEN' },
  allowedEnvVars: ['REIN_TOKEN'],
  timeout: clientTimeoutSeconds,
})
