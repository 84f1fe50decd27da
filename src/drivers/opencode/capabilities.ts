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
  ask: 'A plugin cannot make opencode ask: what is to be asked does not run.',
  afterBatch: 'opencode has no hook after a batch of tools: each tool has its own.',
  onStart: 'opencode tells of a new session only when its first prompt comes, and that takes the context.',
  ...(host === 'stream'
    ? { onStop: 'ACP does not tell the end of a turn that nobody prompted, so an agent that has stopped is prompted.' }
    : {}),
})

export const wake = (): Wake => ({ kind: 'waiter' })
