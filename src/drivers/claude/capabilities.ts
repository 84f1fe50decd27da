import type { HostKind } from '../../contract/agent.ts'
import type { Capabilities, Capability, Wake } from '../contract.ts'
import { cutUntried } from '../untried.ts'
import { isAtLeast } from '../version.ts'

export const minVersion = '2.1.9'

/** The oldest version that was seen doing what `isModern` claims. */
const modernSince = '2.1.197'
const isModern = (version: string): boolean => isAtLeast(version, modernSince)

/** Versions that every claim below was tried with. */
export const provenVersions = [minVersion, '2.1.197', '2.1.327']

/** Older ones run hooks, but drop the context that these give: there nothing but a paste reaches the model. */
const hasHooks = (version: string): boolean => isAtLeast(version, minVersion)

export const capabilities = (version: string, host: HostKind): Capabilities => ({
  beforeTool: hasHooks(version),
  afterTool: hasHooks(version),
  afterBatch: isModern(version),
  onPrompt: hasHooks(version),
  onStart: hasHooks(version),
  onStop: hasHooks(version),
  deny: hasHooks(version),
  ask: isModern(version),
  rewrite: hasHooks(version),
  wakeIdle: (host === 'stream' && hasHooks(version)) || isModern(version),
  answerPermission: true,
  resume: true,
  fork: true,
  cut: hasHooks(version),
  skills: true,
  mcp: true,
  headless: hasHooks(version),
  acp: false,
  writesContext: isModern(version),
  tellsSubagents: isModern(version),
  proven: provenVersions.includes(version),
})

export const reasons = (version: string): Partial<Record<Capability, string>> => {
  const acp = 'Claude Code has a protocol of its own (stream-json).'
  if (isModern(version)) return { acp }
  const old = `Claude Code ${version} is older than ${modernSince}`
  const hooks = `Claude Code ${version} is older than ${minVersion}: its hooks carry no context, so directives are pasted into its terminal.`
  const without = {
    beforeTool: hooks,
    afterTool: hooks,
    onPrompt: hooks,
    onStart: hooks,
    onStop: hooks,
    deny: hooks,
    rewrite: hooks,
    headless: `Claude Code ${version} is older than ${minVersion}: it runs in a terminal alone.`,
    cut: cutUntried('Claude Code', version, minVersion),
  }
  return {
    acp,
    ...(hasHooks(version) ? {} : without),
    ask: `${old}: whether it asks when a hook wants it to was not tried.`,
    afterBatch: `${old}: no hook after a batch of tools, so each tool's own is used.`,
    wakeIdle: `${old}: no hook can wake it, so its terminal is typed to, with care.`,
    writesContext: `${old}: it does not write hook context into its transcript, so what was given at a prompt or tool cannot be proven.`,
    tellsSubagents: `${old}: its hooks do not say who calls, so calls are attributed by the transcript.`,
  }
}

export const wake = (version: string): Wake => (isModern(version) ? { kind: 'waiter' } : { kind: 'paste' })

/** Context given at a stop makes the agent go on; older versions need a blocked stop, which says everything twice. */
export const hasStopContext = isModern

/** One unknown kind of handler disables every hook of the plugin, just as an unknown event does. */
export const hasHttpHooks = isModern

/** Where one of two hooks denies a call and the other says nothing, an older one may lose the reason. */
export const hearsHooksTogether = isModern

/** A hook may say that its own failure blocks the tool. */
export const hasOnFailure = (version: string): boolean => isAtLeast(version, '2.1.295')

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
