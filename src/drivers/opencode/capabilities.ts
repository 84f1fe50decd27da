import type { HostKind } from '../../contract/agent.ts'
import type { Capabilities, Capability, Wake } from '../contract.ts'
import { untried } from '../untried.ts'
import { isAtLeast } from '../version.ts'

export const minVersion = '1.18.33'

/** Versions that every claim below was tried with. */
const provenVersions = ['1.18.33']

/** Older ones were not tried: of their hooks nothing is relied on, and a terminal is typed to. */
const isKnown = (version: string): boolean => isAtLeast(version, minVersion)

export const capabilities = (version: string, host: HostKind): Capabilities => ({
  beforeTool: isKnown(version),
  afterTool: isKnown(version),
  afterBatch: false,
  onPrompt: isKnown(version),
  onStart: false,
  onStop: isKnown(version) && host !== 'stream',
  deny: isKnown(version),
  ask: false,
  rewrite: isKnown(version),
  wakeIdle: isKnown(version),
  answerPermission: true,
  resume: true,
  fork: true,
  cut: isKnown(version),
  skills: true,
  mcp: true,
  headless: true,
  acp: true,
  writesContext: isKnown(version),
  tellsSubagents: true,
  proven: provenVersions.includes(version),
})

export const reasons = (version: string, host: HostKind): Partial<Record<Capability, string>> => ({
  ...(isKnown(version) ? {} : untried('opencode', version, minVersion, 'wakeIdle')),
  ask: 'A plugin cannot make opencode ask, so Rein denies the call instead.',
  afterBatch: 'opencode has no hook after a batch of tools: each tool has its own.',
  onStart: 'opencode reports a new session only with its first prompt, which carries the context.',
  ...(host === 'stream'
    ? { onStop: 'ACP does not report the end of an unprompted turn, so Rein prompts the agent after it has stopped.' }
    : {}),
})

export const wake = (): Wake => ({ kind: 'waiter' })
