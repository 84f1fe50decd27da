import { type AgentRef, byRein } from '../../src/contract/identity.ts'
import type { AnyRecord, RecordBody, RecordType } from '../../src/contract/record.ts'
import type { Story } from '../../src/contract/routes/story.ts'
import type { Task } from '../../src/contract/task.ts'
import type { TurnBlock } from '../../src/contract/turn.ts'
import { readShell } from '../../src/base/shell/read.ts'
import { StoryTeller } from '../../src/features/tasks/story.ts'
import type { StorySubject } from '../../src/features/tasks/story-scope.ts'
import { aRecord, now, person } from './builders.ts'

export const project = 'shop-1a2b3c'
export const lead: AgentRef = { id: 'agt_lead', project, handle: 'parser-lead' }
export const member: AgentRef = { id: 'agt_one', project, handle: 'parser-1' }
const cast = new Map([lead, member].map((ref) => [ref.id, { ...ref, driver: 'claude', cwd: '/home/dev/shop' }]))

export const aTask: Task = {
  id: 'tsk_1',
  project,
  name: 'parser',
  root: '/home/dev/shop',
  state: 'new',
  reason: null,
  members: [],
  worktrees: 'none',
  createdAt: now,
  since: now,
}

export const ofTask: StorySubject = {
  subject: { kind: 'task', name: 'parser', project },
  task: aTask.id,
  agents: [],
  room: `${project}/parser`,
  conversations: null,
  until: null,
}

/** A log in the making: each record comes a second after the one before. */
export class Pen {
  readonly records: AnyRecord[] = []
  at = now

  write<T extends RecordType>(
    type: T,
    body: RecordBody<T>,
    given: { agent?: AgentRef; actor?: AnyRecord['actor']; cause?: string } = {},
  ): this {
    this.at += 1000
    const { agent, actor, cause } = given
    const record = aRecord(type, body, {
      at: this.at,
      agent: agent?.id ?? null,
      ...(cause === undefined ? {} : { cause }),
    })
    this.records.push({ ...record, seq: this.records.length + 1, actor: actor ?? person })
    return this
  }

  join(agent: AgentRef, role: 'lead' | 'member'): this {
    return this.write(
      'task.joined',
      { task: aTask.id, member: { agent, role, worktree: null, branch: null } },
      { agent },
    )
  }

  state(agent: AgentRef, state: RecordBody<'agent.state'>['state'], detail?: string): this {
    const evidence = { source: 'process' as const, ...(detail === undefined ? {} : { detail }) }
    return this.write('agent.state', { state, evidence, question: null }, { agent, actor: byRein })
  }

  turn(agent: AgentRef, prompt: string, blocks: TurnBlock[] = [], costUsd = 0.25): this {
    const ids = { conversation: `c-${agent.handle}`, turn: `t${this.records.length}` }
    this.write('turn.started', { ...ids, prompt, entry: ids.turn }, { agent })
    for (const block of blocks) {
      const role = block.type === 'tool_result' ? ('user' as const) : ('assistant' as const)
      this.write('turn.entry', { ...ids, entry: `e${this.records.length}`, role, blocks: [block] }, { agent })
    }
    const usage = { inputTokens: 100, outputTokens: 10, costUsd, model: 'scripted' }
    return this.write('turn.ended', { ...ids, leaf: 'x', reason: 'idle', entries: blocks.length, usage }, { agent })
  }

  tell(about = ofTask, options: { since?: number; mostMoments?: number } = {}): Story {
    const teller = new StoryTeller(about, {
      ...options,
      agent: (id) => cast.get(id) ?? null,
      readLine: (command, cwd) => readShell(command, { cwd, home: null }),
    })
    for (const record of this.records) teller.hear(record)
    return teller.end(this.at + 1000, false)
  }
}

export const call = (id: string, name: string, input: Record<string, unknown>): TurnBlock => ({
  type: 'tool_use',
  id,
  name,
  input,
})
export const result = (id: string, text: string, isError = false): TurnBlock => ({
  type: 'tool_result',
  id,
  text,
  isError,
})
