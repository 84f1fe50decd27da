import { version as reinVersion } from '../../base/util/version.ts'
import { jsonAsset, programAsset } from '../asset-files.ts'
import type { Asset, AssetContext } from '../contract.ts'
import { guardCommand, guardProgram, guardTimeoutSeconds } from '../guard.ts'
import { skillFiles } from '../skills.ts'
import { hookEvents } from './capabilities.ts'

/** The client has its own, much shorter deadlines; this one only ends a client that hangs. */
const timeoutSeconds = 5

/** A plugin directory for `--plugin-dir`: its hooks always run, whether the folder is trusted or not. */
export const assets = (context: AssetContext): Asset[] => [
  jsonAsset('.claude-plugin/plugin.json', {
    name: 'rein',
    version: reinVersion,
    description: 'Connects this conversation to Rein.',
    author: { name: 'Rein' },
  }),
  jsonAsset('hooks/hooks.json', hooksFile(hookEvents(context.host), client, guard)),
  ...['rein-hook', guardProgram].map((name) => programAsset(context.programs, name)),
  ...skillFiles(context.skills, 'skills'),
]

/** Copilot's own form of a file of hooks: each event with its command. */
export const hooksFile = (events: readonly string[], client: Command, guard: Command): unknown => ({
  version: 1,
  hooks: Object.fromEntries(
    events.map((event) => [
      event,
      [
        hook(client(event), timeoutSeconds),
        ...(event === 'preToolUse' ? [hook(guard(event), guardTimeoutSeconds)] : []),
      ],
    ]),
  ),
})

type Command = (event: string) => string

const hook = (bash: string, timeoutSec: number) => ({ type: 'command', bash, timeoutSec })

/** A hook that fails before a tool denies the tool, so one that is gone must not fail. `exec` keeps the CLI the client's parent. */
const client: Command = (event) =>
  `if [ -x "$CLAUDE_PLUGIN_ROOT/rein-hook" ]; then exec "$CLAUDE_PLUGIN_ROOT/rein-hook" copilot ${event}; fi`

const guard: Command = (event) => guardCommand('"$CLAUDE_PLUGIN_ROOT/rein-guard"', 'copilot', event)
