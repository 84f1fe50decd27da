import { Agent } from '../../contract/agent.ts'
import type { Projector, StorePart } from '../../base/log/projector.ts'
import type { Migration } from '../../base/store/migrate.ts'
import type { Database, Row } from '../../base/store/sqlite.ts'
import { evolve, isAgentRecord } from './evolve-agent.ts'

const agentTables: Migration = {
  number: 3,
  name: 'agents',
  sql: `
    CREATE TABLE agent (
      id TEXT PRIMARY KEY,
      project TEXT NOT NULL,
      handle TEXT NOT NULL,
      agent TEXT NOT NULL,
      UNIQUE (project, handle)
    ) STRICT;
  `,
}

export const agentProjector: Projector = {
  name: 'agents',
  clear: (db) => db.exec('DELETE FROM agent'),
  apply: (db, record) => {
    if (!isAgentRecord(record) || record.agent === null) return
    const agent = evolve(findAgent(db, record.agent), record)
    if (agent === undefined) return
    db.prepare(
      'INSERT INTO agent (id, project, handle, agent) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET agent = excluded.agent',
    ).run(agent.id, agent.project, agent.handle, JSON.stringify(agent))
  },
  retention: { agents: { isSpare: (db, row) => passing.includes(String(row.type)) && isOutlived(db, row) } },
}

/** What an agent went through; where it was started and which conversations it had is needed for its sessions. */
const passing = [
  'agent.state',
  'agent.stop_blocked',
  'agent.interrupted',
  'agent.answered',
  'agent.prompted',
  'agent.ending',
  'agent.held',
  'agent.allowed',
  'agent.health',
  'agent.context',
  'agent.foreign',
]
/** So many of the newest stay with each agent: what it is now follows from them. */
const keptOfEach = 100

/** Whether enough has come after it, and another one of its kind. */
const isOutlived = (db: Database, { agent, seq, type }: Row): boolean => {
  const later = `FROM record WHERE agent IS ? AND topic = 'agents' AND seq > ?`
  const isMore = db.prepare(`SELECT 1 ${later} LIMIT 1 OFFSET ?`).get(agent ?? null, seq ?? 0, keptOfEach - 1)
  if (isMore === undefined) return false
  return db.prepare(`SELECT 1 ${later} AND type = ? LIMIT 1`).get(agent ?? null, seq ?? 0, type ?? '') !== undefined
}

export const findAgent = (db: Database, id: string): Agent | undefined => {
  const row = db.prepare('SELECT agent FROM agent WHERE id = ?').get(id)
  return row === undefined ? undefined : read(row)
}

export const allAgents = (db: Database): Agent[] =>
  db.prepare('SELECT agent FROM agent ORDER BY project, handle').all().map(read)

/** What an older Rein did not know yet gets its default. */
const read = (row: Row): Agent => Agent.parse(JSON.parse(String(row['agent'])))

export const agentStore: StorePart = {
  migrations: [agentTables],
  projector: agentProjector,
  json: { agent: ['agent'] },
  readState: allAgents,
}
