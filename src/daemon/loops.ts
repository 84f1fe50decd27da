import { setTimeout as delay } from 'node:timers/promises'
import type { Supervisor } from '../agents/supervisor.ts'
import { isBypassing } from '../features/channels/bypass.ts'
import type { Responder } from '../contract/hooks.ts'
import type { Answer } from '../contract/host.ts'
import { type AnyNewRecord, newRecord } from '../contract/record.ts'
import { findDriver } from '../drivers/registry.ts'
import { pauseOnResponder } from '../features/loops/pause-on.ts'
import { Unanswered } from '../features/loops/unanswered.ts'
import { LoopWatch } from '../features/loops/watch.ts'
import type { AgentWatcher } from '../agents/agent-watcher.ts'
import type { ServiceParts } from './services.ts'

interface LoopParts extends ServiceParts {
  supervisor: Supervisor
  append: (records: AnyNewRecord[]) => Promise<number[]>
  now: () => number
  newId: (prefix: string) => string
  /** Resolves when no snapshot of this agent's files is being taken. */
  settled: (agent: string) => Promise<void>
  /** Reads what its conversation shows by now, within what a hook may wait. */
  catchUp: (agent: string) => Promise<void>
}

export interface LoopServices {
  watcher: AgentWatcher
  responders: Responder[]
  /** Tells of each snapshot that is written down. */
  telling: <T>(append: (records: AnyNewRecord[]) => Promise<T>) => (records: AnyNewRecord[]) => Promise<T>
}

/** Puts loop control together: what agents do comes in, notes, questions and stops go out. */
export const composeLoops = (parts: LoopParts): LoopServices => {
  const { supervisor, settings } = parts
  const asking = pauseOnResponder((id) => supervisor.get(id), findDriver)
  const watch = new LoopWatch(watchPorts(parts))
  const unanswered = new Unanswered(unansweredPorts(parts))
  const isOn = settings['loops.enabled']
  const watcher: AgentWatcher = {
    onEntry: (...news) => watch.onEntry(...news),
    onRead: (agent) => unanswered.onRead(agent),
    onChange: (agent, ...news) => {
      watch.onChange(agent, ...news)
      unanswered.onChange(agent)
    },
  }
  return {
    watcher: isOn ? watcher : {},
    responders: isOn ? [asking, watch.responder] : [asking],
    telling: (append) => (records) => {
      for (const { type, agent, body } of records)
        if (type === 'session.snapshot' && agent !== null) watch.saved(agent, body.snapshot.tree)
      return append(records)
    },
  }
}

const unansweredPorts = ({ supervisor, settings, now, journal }: LoopParts) => ({
  waitMs: settings['loops.ask_wait_s'] * 1000,
  now,
  agent: (id: string) => supervisor.get(id),
  asksNobody: isBypassing,
  answer: (id: string, answer: Answer, why: string) => supervisor.answer(id, answer, why, 'rule'),
  onTrouble: (cause: unknown): void => journal.write('trouble', { where: 'loops', reason: String(cause) }),
})

const watchPorts = ({ supervisor, settings, append, now, newId, settled, catchUp, journal }: LoopParts) => {
  const onTrouble = (cause: unknown): void => journal.write('trouble', { where: 'loops', reason: String(cause) })
  const deadlineMs = settings['hooks.deadline_ms']
  // A call waits for its files to be saved, but leaves time to answer.
  const savedMs = deadlineMs / 2
  const can = (id: string) => supervisor.capabilities(id)
  return {
    agent: (id: string) => supervisor.get(id),
    driver: findDriver,
    limits: { note: settings['loops.note'], ask: settings['loops.ask'], stop: settings['loops.stop'] },
    canAsk: (id: string) => can(id)?.ask ?? false,
    hasToolHooks: (id: string) => (can(id)?.afterTool ?? true) && supervisor.get(id)?.health.hooks !== 'silent',
    catchUp,
    settled: (id: string) => Promise.race([settled(id).then(() => true), delay(savedMs, false, { ref: false })]),
    pause: (id: string, reason: string) => void supervisor.pause(id, true, reason).catch(onTrouble),
    record: ((type, body, { id, project }) => {
      const context = { id: newId('rec'), at: now(), actor: { kind: 'daemon' as const }, agent: id, project }
      void append([newRecord(type, body, context) as AnyNewRecord]).catch(onTrouble)
    }) satisfies ConstructorParameters<typeof LoopWatch>[0]['record'],
    deadlineMs,
    now,
  }
}
