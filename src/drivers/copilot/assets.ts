import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version as reinVersion } from '../../util/version.ts'
import type { Asset, AssetContext } from '../contract.ts'
import { skillFiles } from '../skills.ts'
import { hookEvents } from './capabilities.ts'

/** The client has its own, much shorter deadlines; this one only ends a client that hangs. */
const timeoutSeconds = 5

/** A plugin directory for `--plugin-dir`: its hooks always run, whether the folder is trusted or not. */
export const assets = (context: AssetContext): Asset[] => [
  json('.claude-plugin/plugin.json', {
    name: 'rein',
    version: reinVersion,
    description: 'Connects this conversation to Rein.',
    author: { name: 'Rein' },
  }),
  json('hooks/hooks.json', hooksFile(hookEvents(context.host), client)),
  { path: 'rein-hook', content: readFileSync(join(context.programs, 'rein-hook'), 'utf8'), executable: true },
  ...skillFiles(context.skills, 'skills'),
]

/** Copilot's own form of a file of hooks: each event with its command. */
export const hooksFile = (events: readonly string[], command: (event: string) => string): unknown => ({
  version: 1,
  hooks: Object.fromEntries(
    events.map((event) => [event, [{ type: 'command', bash: command(event), timeoutSec: timeoutSeconds }]]),
  ),
})

/** A hook that fails before a tool denies the tool, so one that is gone must not fail. `exec` keeps the CLI the client's parent. */
const client = (event: string): string =>
  `if [ -x "$CLAUDE_PLUGIN_ROOT/rein-hook" ]; then exec "$CLAUDE_PLUGIN_ROOT/rein-hook" copilot ${event}; fi`

const json = (path: string, value: unknown): Asset => ({
  path,
  content: `${JSON.stringify(value, null, 2)}\n`,
  executable: false,
})
