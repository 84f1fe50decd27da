import type { HostKind } from '../../contract/agent.ts'
import type { Capabilities, Capability, Wake } from '../contract.ts'

export const minVersion = '1.18.33'

/** Versions that every claim below was tried with. */
const provenVersions = ['1.18.33']

export const capabilities = (version: string, host: HostKind): Capabilities => ({
  beforeTool: true,
  afterTool: true,
  afterBatch: false,
  onPrompt: true,
  onStart: false,
  onStop: host !== 'stream',
  deny: true,
  rewrite: true,
  wakeIdle: true,
  answerPermission: true,
  resume: true,
  fork: true,
  skills: true,
  mcp: true,
  headless: true,
  acp: true,
  writesContext: true,
  tellsSubagents: true,
  proven: provenVersions.includes(version),
})

export const reasons = (_: string, host: HostKind): Partial<Record<Capability, string>> => ({
  afterBatch: 'opencode has no hook after a batch of tools: each tool has its own.',
  onStart: 'opencode tells of a new session only when its first prompt comes, and that takes the context.',
  ...(host === 'stream'
    ? { onStop: 'ACP does not tell the end of a turn that nobody prompted, so an agent that has stopped is prompted.' }
    : {}),
})

export const wake = (): Wake => ({ kind: 'waiter' })
