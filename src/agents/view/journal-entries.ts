import type { Agent } from '../../contract/agent.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import type { Directive } from '../../contract/directive.ts'
import type { Journal } from '../../contract/logs.ts'

/** What became of a directive, for the log file. */
export const journalStep = (journal: Journal, { directive }: { directive: Directive }, record: AnyNewRecord): void => {
  const about = { agent: directive.agent.id, handle: directive.agent.handle, directive: directive.id }
  if (record.type === 'directive.accepted') {
    journal.write('receive', {
      ...about,
      from: directive.from,
      priority: directive.priority,
      length: directive.text.length,
    })
  }
  if (record.type === 'directive.offered')
    journal.write('offer', { ...about, attempt: record.body.attempt, via: record.body.via })
  if (record.type === 'directive.placed') journal.write('placed', { ...about, evidence: record.body.evidence })
  if (record.type === 'directive.seen') journal.write('seen', { ...about, evidence: record.body.evidence })
  if (record.type === 'directive.acked') journal.write('ack', { ...about, evidence: record.body.evidence })
}

/** What became of an agent, for the log file. */
export const journalAgent = (journal: Journal, agent: Agent, before: Agent | null, record: AnyNewRecord): void => {
  const about = { agent: agent.id, handle: agent.handle }
  if (record.type === 'agent.launched') {
    if (before?.conversation != null) journal.write('restart', { ...about, how: 'launched again' })
    journal.write('register', { ...about, driver: agent.driver, host: agent.host, pid: record.body.process.pid })
  }
  if (record.type === 'agent.answered') {
    const { question, answer, by, why } = record.body
    journal.write('answer', { ...about, tool: question.tool, answer, by, why })
  }
  if (record.type === 'agent.foreign') journal.write('foreign', { ...about, conversation: record.body.conversation })
  if (record.type !== 'agent.state') return
  const { state, evidence } = record.body
  if (state === 'idle') journal.write('ready', { ...about, state, evidence })
  if (state === 'crashed') journal.write('crash', { ...about, evidence })
}

/** Turns that whoever follows the topic gets now, and sub-agents that came or went in them, for the log file. */
export const journalTurns = (journal: Journal, records: AnyNewRecord[], handleOf: (id: string) => string): void => {
  const [first] = records
  if (first?.topic !== 'turns' || first.agent === null) return
  const about = { agent: first.agent, handle: handleOf(first.agent) }
  journal.write('broadcast', { ...about, topic: first.topic, records: records.length })
  for (const { type, body } of records) {
    if (type === 'turn.subagent_started')
      journal.write('subagent', { ...about, subagent: body.subagent, kind: body.kind, what: 'started' })
    if (type === 'turn.subagent_stopped')
      journal.write('subagent', { ...about, subagent: body.subagent, kind: '', what: 'stopped' })
  }
}
