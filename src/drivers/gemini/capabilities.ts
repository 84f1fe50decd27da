import type { HostKind } from '../../contract/agent.ts'
import type { Capabilities, Capability } from '../contract.ts'
import { untried } from '../untried.ts'
import { isAtLeast } from '../version.ts'

export const minVersion = '0.61.0'

/** Versions that every claim below was tried with. */
const provenVersions = [minVersion]

const isKnown = (version: string): boolean => isAtLeast(version, minVersion)

/** Headless, tools are run by another part of the CLI, which calls no hooks. */
export const capabilities = (version: string, host: HostKind): Capabilities => {
  const hasToolHooks = isKnown(version) && host !== 'stream'
  return {
    beforeTool: hasToolHooks,
    afterTool: hasToolHooks,
    afterBatch: false,
    onPrompt: isKnown(version),
    onStart: hasToolHooks,
    onStop: isKnown(version),
    deny: hasToolHooks,
    ask: hasToolHooks,
    rewrite: hasToolHooks,
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
    tellsSubagents: false,
    proven: provenVersions.includes(version),
  }
}

export const reasons = (version: string, host: HostKind): Partial<Record<Capability, string>> => ({
  ...(isKnown(version) ? {} : untried('Gemini', version, minVersion)),
  afterBatch: 'Gemini has no hook after a batch of tools, so each tool’s own is used.',
  tellsSubagents: 'Gemini’s hooks do not say whether a sub-agent makes a tool call.',
  ...(host === 'stream'
    ? headless
    : { wakeIdle: 'Nothing can wake Gemini from outside, so Rein types into its terminal, with care.' }),
  ...(host === 'outside' ? { answerPermission: 'Its dialogs are in a terminal that is not Rein’s.' } : {}),
})

const withoutToolHooks = 'Gemini runs no hooks for its start and its tools when it is headless (ACP).'

/** Tried with each of its tools. */
const byAsking =
  'Gemini runs no hooks for its tools when it is headless (ACP), so Rein makes it ask for permission: rules hold for commands, file changes, fetches and MCP tools. Before it reads, lists or searches it never asks.'

const headless: Partial<Record<Capability, string>> = {
  beforeTool: byAsking,
  afterTool: withoutToolHooks,
  onStart: withoutToolHooks,
  deny: byAsking,
  ask: withoutToolHooks,
  rewrite: withoutToolHooks,
  fork: 'Gemini forks a conversation only when it is started in a terminal.',
}

/**
 * Not the one before a compaction, which runs before every request and mostly nothing comes of it. Headless, the end of
 * a session names another session than the agent's.
 */
export const hookEvents = (host: HostKind): readonly string[] => [
  'SessionStart',
  'BeforeAgent',
  'BeforeTool',
  'AfterTool',
  'AfterAgent',
  'Notification',
  ...(host === 'stream' ? [] : ['SessionEnd']),
]
