import { setTimeout as delay } from 'node:timers/promises'
import type { Agents } from '../../agents/agents.ts'
import type { AgentWatcher } from '../../agents/agent-events.ts'
import type { Base } from '../../base/base.ts'
import { isBypassing } from '../channels/bypass.ts'
import { byRein } from '../../contract/identity.ts'
import { type AnyNewRecord, newRecord } from '../../contract/record.ts'
import type { loopRoutes } from '../../contract/routes/loops.ts'
import { findDriver } from '../../drivers/registry.ts'
import { pauseOnResponder } from './pause-on.ts'
import { Unanswered } from './unanswered.ts'
import { LoopWatch } from './watch.ts'
import type { Feature } from '../feature.ts'
import { loopHandlers } from './handlers.ts'

interface Needs {
  /** Resolves when no snapshot of this agent's files is being taken. */
  sessions: { settled(agent: string): Promise<void> }
}

interface LoopsApi {
  /** A snapshot of an agent's files was written down. */
  saved(agent: string, tree: string): void
}

/** Hears what agents do; notes, asks and stops. */
export const loops: Feature<'loops', typeof loopRoutes, Needs, LoopsApi> = {
  name: 'loops',
  create: (base, agents, others) => {
    const { supervisor } = agents
    const asking = pauseOnResponder((id) => supervisor.get(id), findDriver)
    const watch = loopWatch(base, agents, others)
    const unanswered = new Unanswered({
      waitMs: base.settings['loops.ask_wait_s'] * 1000,
      now: base.now,
      agent: (id) => supervisor.get(id),
      asksNobody: isBypassing,
      answer: (id, answer, why) => supervisor.agent(id).questions.answer(answer, { actor: byRein, by: 'rule', why }),
      onTrouble: base.troubleIn('loops'),
    })
    const watcher: AgentWatcher = {
      onEntry: (...news) => watch.onEntry(...news),
      onRead: (agent) => unanswered.onRead(agent),
      onChange: (agent, ...news) => {
        watch.onChange(agent, ...news)
        unanswered.onChange(agent)
      },
    }
    const isOn = base.settings['loops.enabled']
    return {
      handlers: loopHandlers(base, agents),
      watchers: isOn ? [watcher] : [],
      responders: isOn ? [asking, watch.responder] : [asking],
      api: { saved: (agent, tree) => watch.saved(agent, tree) },
    }
  },
}

const loopWatch = (base: Base, { supervisor, hooks }: Agents, others: Needs): LoopWatch => {
  const { settings, append, now, newId } = base
  const onTrouble = base.troubleIn('loops')
  const deadlineMs = settings['hooks.deadline_ms']
  // A call waits for its files to be saved, but leaves time to answer.
  const savedMs = deadlineMs / 2
  return new LoopWatch({
    agent: (id) => supervisor.get(id),
    driver: findDriver,
    limits: { note: settings['loops.note'], ask: settings['loops.ask'], stop: settings['loops.stop'] },
    canAsk: (id) => supervisor.find(id)?.capabilities.ask ?? false,
    hasToolHooks: (id) =>
      (supervisor.find(id)?.capabilities.afterTool ?? true) && supervisor.get(id)?.health.hooks !== 'silent',
    catchUp: (id) => hooks.catchUp(id),
    settled: (id) => {
      const saved = others.sessions.settled(id).then(() => true)
      return Promise.race([saved, delay(savedMs, false, { ref: false })])
    },
    pause: (id, reason) => void supervisor.agent(id).pause(true, byRein, reason).catch(onTrouble),
    record: (type, body, { id, project }) => {
      const context = { id: newId('rec'), at: now(), actor: byRein, agent: id, project }
      void append([newRecord(type, body, context) as AnyNewRecord]).catch(onTrouble)
    },
    deadlineMs,
    now,
  })
}
