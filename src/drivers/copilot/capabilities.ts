import type { HostKind } from '../../contract/agent.ts'
import type { Capabilities, Capability } from '../contract.ts'
import { untried } from '../untried.ts'
import { isAtLeast } from '../version.ts'

export const minVersion = '1.0.102'

/** Versions that every claim below was tried with. */
const provenVersions = [minVersion]

const isKnown = (version: string): boolean => isAtLeast(version, minVersion)

export const capabilities = (version: string, host: HostKind): Capabilities => ({
  beforeTool: isKnown(version),
  afterTool: isKnown(version),
  afterBatch: false,
  onPrompt: isKnown(version),
  onStart: isKnown(version),
  onStop: isKnown(version),
  deny: isKnown(version),
  ask: isKnown(version) && host !== 'stream',
  rewrite: isKnown(version),
  wakeIdle: host === 'stream',
  answerPermission: host !== 'outside',
  resume: true,
  fork: host !== 'stream',
  cut: isKnown(version),
  skills: true,
  mcp: true,
  headless: true,
  acp: true,
  writesContext: isKnown(version),
  tellsSubagents: isKnown(version),
  proven: provenVersions.includes(version),
})

export const reasons = (version: string, host: HostKind): Partial<Record<Capability, string>> => ({
  ...(isKnown(version) ? {} : untried('Copilot', version, minVersion, 'tellsSubagents')),
  afterBatch: 'Copilot has no hook after a batch of tools, so each tool’s own is used.',
  ...(host === 'stream'
    ? {
        fork: 'Copilot forks a conversation only by /fork in its terminal.',
        ask: 'Headless, Copilot denies a call when a hook wants it to ask.',
      }
    : { wakeIdle: 'Nothing can wake Copilot from outside, so Rein types into its terminal, with care.' }),
  ...(host === 'outside' ? { answerPermission: 'Its dialogs are in a terminal that is not Rein’s.' } : {}),
})

/** Headless, the CLI reports the end of each turn as the end of its session. */
export const hookEvents = (host: HostKind): readonly string[] => [
  'sessionStart',
  'userPromptSubmitted',
  'preToolUse',
  'postToolUse',
  'agentStop',
  'subagentStart',
  'subagentStop',
  'preCompact',
  'notification',
  ...(host === 'stream' ? [] : ['sessionEnd']),
]
