import { expect, test } from 'vitest'
import { anAgent, aRecord } from '../../../test/support/builders.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { emptyDatabase } from '../../../test/support/in-process-log.ts'
import { LogWriter, type WriteJob } from '../../base/log/writer.ts'
import { agentProjector, allAgents, findAgent } from './store.ts'

const created = (id: string, handle: string): WriteJob => ({
  kind: 'append',
  records: [aRecord('agent.created', { agent: anAgent({ id, handle }) }, { agent: id })],
  cursors: [],
})

test('every agent by its id, all of them by name', () => {
  const db = emptyDatabase()
  new LogWriter(db, [agentProjector]).write([created('1', 'writer'), created('2', 'reader')])
  expect(findAgent(db, '1')).toEqual(anAgent({ id: '1', handle: 'writer' }))
  expect(findAgent(db, '9')).toBeUndefined()
  expect(allAgents(db).map(({ handle }) => handle)).toEqual(['reader', 'writer'])
})

test('a handle is taken once in a project, whoever comes second', () => {
  const db = emptyDatabase()
  const outcomes = new LogWriter(db, [agentProjector]).write([created('1', 'worker'), created('2', 'worker')])
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, false])
  expect(allAgents(db)).toHaveLength(1)
})

test('calls that were allowed for good are on the log only as they are now, when enough has come after', () => {
  const db = emptyDatabase()
  const writer = new LogWriter(db, [agentProjector])
  const append = (...records: AnyNewRecord[]): void => void writer.write([{ kind: 'append', records, cursors: [] }])
  writer.write([created('1', 'worker')])
  const allowed = (command: string) =>
    aRecord(
      'agent.allowed',
      { allowed: [{ id: command, tool: 'Bash', input: { command }, summary: command }] },
      { id: command, agent: '1' },
    )
  append(allowed('make'), allowed('make test'))
  for (let count = 0; count < 100; count += 1)
    append(aRecord('agent.stop_blocked', { count }, { id: `s${count}`, agent: '1' }))
  const retention = agentProjector.retention?.['agents']
  const rows = db.prepare("SELECT * FROM record WHERE type = 'agent.allowed' ORDER BY seq").all()
  expect(rows.map((row) => retention?.isSpare(db, row, 0))).toEqual([true, false])
})
