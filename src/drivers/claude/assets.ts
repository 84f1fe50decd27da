import { version as reinVersion } from '../../base/util/version.ts'
import { jsonAsset, programAsset } from '../asset-files.ts'
import type { Asset, AssetContext } from '../contract.ts'
import { guardCommand, guardProgram, guardTimeoutSeconds } from '../guard.ts'
import type { Json } from '../json.ts'
import { skillFiles } from '../skills.ts'
import { hasHttpHooks, hasOnFailure, hearsHooksTogether, hookEvents, wake } from './capabilities.ts'

/** A plugin directory for `--plugin-dir`: hooks without a line in the user's settings. */
export const assets = (context: AssetContext): Asset[] => [
  jsonAsset('.claude-plugin/plugin.json', {
    name: 'rein',
    version: reinVersion,
    description: 'Connects this conversation to Rein.',
    author: { name: 'Rein' },
  }),
  jsonAsset('hooks/hooks.json', {
    hooks: Object.fromEntries(
      hookEvents(context.version).map((event) => [event, [{ hooks: handlers(event, context) }]]),
    ),
  }),
  ...['rein-hook', 'rein-wait', guardProgram].map((name) => programAsset(context.programs, name)),
  ...skillFiles(context.skills, 'skills'),
]

/** A waiter is armed where a turn begins; at a stop they would pile up. A headless agent is woken by its stdin. */
export const armingEvents: readonly string[] = ['SessionStart', 'UserPromptSubmit']

const handlers = (event: string, context: AssetContext): Json[] => {
  if (event === guarded && !hearsHooksTogether(context.version))
    // One handler runs both: the guard's answer counts, and without one the client is asked.
    return [
      {
        type: 'command',
        command: [
          // The system's programs come first: the project may have put others on the PATH.
          'PATH="/usr/bin:/bin${PATH:+:$PATH}"; call=$(cat)',
          `said=$(printf '%s' "$call" | { ${guardCommand('"${CLAUDE_PLUGIN_ROOT}/rein-guard"', 'claude', guarded)}; }) || exit 2`,
          `if [ -n "$said" ]; then printf '%s\\n' "$said"; else printf '%s' "$call" | "\${CLAUDE_PLUGIN_ROOT}/rein-hook" claude ${guarded}; fi`,
        ].join('; '),
        ...guardOptions(context.version),
      },
    ]
  const isArming = armingEvents.includes(event) && context.host !== 'stream' && wake(context.version).kind === 'waiter'
  const isByHttp = context.transport.kind === 'http' && hasHttpHooks(context.version) && event !== 'SessionStart'
  // `exec` makes the CLI itself the client's parent: that pid is how Rein knows whose call it is.
  return [
    isByHttp
      ? {
          type: 'http',
          url: `${context.transport.url}/v1/hooks/claude/${event}`,
          headers: { authorization: 'Bearer $REIN_TOKEN' },
          allowedEnvVars: ['REIN_TOKEN'],
          timeout: clientTimeoutSeconds,
        }
      : {
          type: 'command',
          command: `exec "\${CLAUDE_PLUGIN_ROOT}/rein-hook" claude ${event}`,
          timeout: clientTimeoutSeconds,
        },
    ...(isArming ? [waiter] : []),
    // The guard is always a command: it has to work while no daemon runs.
    ...(event === guarded
      ? [
          {
            type: 'command',
            command: guardCommand('"${CLAUDE_PLUGIN_ROOT}/rein-guard"', 'claude', guarded),
            ...guardOptions(context.version),
          },
        ]
      : []),
  ]
}

/** Where the guard stands: before each tool. */
export const guarded = 'PreToolUse'

/** What a guard's handler says beside its command: a failure of its own denies, where the CLI knows that. */
export const guardOptions = (version: string): Json => ({
  timeout: guardTimeoutSeconds,
  ...(hasOnFailure(version) ? { onFailure: 'block' } : {}),
})

/** The client has its own, much shorter deadlines; this one only ends a client that hangs. */
export const clientTimeoutSeconds = 5

/** The waiter runs for as long as the agent is idle. Over 24.8 days the CLI's own timer overflows and ends it at once. */
export const waiterOptions = {
  asyncRewake: true,
  rewakeSummary: 'Rein: something in the inbox',
  rewakeMessage: 'Rein says:',
  timeout: 24 * 24 * 60 * 60,
}
const waiter = { type: 'command', command: 'exec "${CLAUDE_PLUGIN_ROOT}/rein-wait"', ...waiterOptions }
