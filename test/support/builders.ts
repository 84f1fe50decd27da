import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Agent } from '../../src/contract/agent.ts'
import type { ConversationEntry } from '../../src/contract/conversation.ts'
import type { Directive } from '../../src/contract/directive.ts'
import { type HookCall, loseReply, type ResponderReply } from '../../src/contract/hooks.ts'
import type { Actor, AgentRef } from '../../src/contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody, type RecordType } from '../../src/contract/record.ts'

export const now = 1_800_000_000_000
export const agentRef: AgentRef = { id: 'agt_1', project: 'shop-1a2b3c', handle: 'worker' }
export const owner: Actor = { kind: 'agent', id: agentRef.id, handle: agentRef.handle }
export const stranger: Actor = { kind: 'agent', id: 'agt_2', handle: 'other' }
export const person: Actor = { kind: 'user', name: 'ada' }
/** The same person on a paired device. */
export const onPhone: Actor = { kind: 'user', name: 'user', via: { kind: 'device', id: 'dev_1', name: 'phone' } }

export const anAgent = (given: Partial<Agent> = {}): Agent => ({
  ...agentRef,
  driver: 'claude',
  version: '2.1.197',
  host: 'stream',
  cwd: '/home/dev/project',
  state: 'idle',
  since: now,
  evidence: null,
  launch: null,
  process: { pid: 4711, startTime: '12345' },
  program: '/usr/bin/claude',
  conversation: 'c0ffee00-0000-4000-8000-000000000001',
  transcript: '/home/dev/.claude/projects/-home-dev-project/c0ffee00-0000-4000-8000-000000000001.jsonl',
  question: null,
  held: [],
  allowed: [],
  stopBlocks: 0,
  interruptedAt: null,
  createdAt: now,
  request: null,
  until: null,
  isPaused: false,
  pauseReason: null,
  wasAtWork: false,
  ending: null,
  crashes: [],
  health: { hooks: 'unknown', failures: 0, healed: 0 },
  model: null,
  ...given,
})

export const anEntry = (given: Partial<ConversationEntry> = {}): ConversationEntry => ({
  id: 'e1',
  parent: null,
  link: 'chain',
  kind: 'other',
  at: now,
  message: null,
  calledBy: null,
  isReply: false,
  text: '',
  blocks: [],
  usage: null,
  raw: {},
  ...given,
})

export const aDirective = (given: Partial<Directive> = {}): Directive => ({
  id: 'dir_00000000-0000-7000-8000-00000000000a',
  agent: agentRef,
  from: 'ada',
  sender: person,
  type: 'directive',
  priority: 'normal',
  text: 'Use the staging database.',
  nonce: '00112233445566aa',
  acceptedAt: now,
  expiresAt: null,
  ...given,
})

export const aCall = (given: Partial<HookCall> = {}): HookCall => ({
  driver: 'claude',
  event: 'after_batch',
  native: 'PostToolBatch',
  agent: agentRef.id,
  pid: 4711,
  conversation: 'c0ffee00-0000-4000-8000-000000000001',
  transcript: null,
  cwd: '/home/dev/project',
  subagent: null,
  tools: [],
  prompt: null,
  source: null,
  question: null,
  raw: {},
  ...given,
})

/** The CLI does not get this reply; everything can be undone. */
export const lose = (reply: ResponderReply): void =>
  loseReply(reply, (cause) => {
    throw cause
  })

let records = 0

export interface RecordOptions {
  id?: string
  at?: number
  agent?: string | null
  cause?: string
}

export const aRecord = <T extends RecordType>(
  type: T,
  body: RecordBody<T>,
  { id = `rec_${++records}`, at = now, agent = agentRef.id, cause }: RecordOptions = {},
): AnyNewRecord => {
  const context = { id, at, actor: { kind: 'daemon' as const }, agent, project: agentRef.project }
  return newRecord(type, body, cause === undefined ? context : { ...context, cause }) as AnyNewRecord
}

/** A record that changes nothing but the topic `turns`. */
export const aTurn = (id: string, at = now): AnyNewRecord =>
  aRecord('turn.started', { conversation: 'c', turn: id, prompt: `prompt ${id}`, entry: id }, { id, at })

/** Of a topic of which nothing is made. */
export const aNote = (id: string, at = now): AnyNewRecord =>
  aRecord('note.told', { conversation: 'c', notes: [id], moment: 'prompt' }, { id, at })

/** A directory of its own for one test; gone afterwards. */
export const tempDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'rein-unit-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** The lines of a recording of Claude Code. */
export const recording = (name: string, version = '2.1.197'): string[] =>
  readFileSync(join(import.meta.dirname, '../fixtures/claude', version, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)
