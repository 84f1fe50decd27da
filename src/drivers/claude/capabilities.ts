import type { Capabilities } from '../contract.ts'
import { isAtLeast } from '../version.ts'

export const minVersion = '2.1.9'

/** The oldest version that was seen doing what `isModern` claims. */
const modernSince = '2.1.197'
const isModern = (version: string): boolean => isAtLeast(version, modernSince)

/** Versions that every claim below was tried with. */
const provenVersions = [minVersion, '2.1.197']

export const capabilities = (version: string): Capabilities => ({
  beforeTool: true,
  afterTool: true,
  afterBatch: isModern(version),
  onPrompt: true,
  onStart: true,
  onStop: true,
  deny: true,
  rewrite: true,
  wakeIdle: isModern(version),
  answerPermission: true,
  resume: true,
  fork: true,
  skills: true,
  mcp: true,
  headless: true,
  acp: false,
  writesContext: isModern(version),
  tellsSubagents: isModern(version),
  proven: provenVersions.includes(version),
})

/** Context given at a stop makes the agent go on; older versions need a blocked stop, which says everything twice. */
export const hasStopContext = isModern

/** One unknown kind of handler disables every hook of the plugin, just as an unknown event does. */
export const hasHttpHooks = isModern

const always = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'SessionEnd',
  'Notification',
] as const

/** One unknown event name disables every hook of the plugin, so each version gets only what it knows. */
export const hookEvents = (version: string): readonly string[] =>
  isModern(version)
    ? [...always, 'PostToolBatch', 'PostCompact', 'StopFailure']
    : [...always, 'PostToolUse', 'PostToolUseFailure']
