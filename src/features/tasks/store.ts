import type { Task } from '../../contract/task.ts'
import type { Projector, StorePart } from '../../base/log/projector.ts'
import type { Migration } from '../../base/store/migrate.ts'
import type { Database, Row } from '../../base/store/sqlite.ts'
import { evolveTask, isTaskRecord, taskId } from './task.ts'

/** Names that differ only in case would share handles and a room. */
const taskTables: Migration = {
  number: 12,
  name: 'tasks',
  sql: `
    CREATE TABLE task (
      id TEXT PRIMARY KEY,
      project TEXT NOT NULL,
      name TEXT NOT NULL COLLATE NOCASE,
      at INTEGER NOT NULL,
      is_done INTEGER NOT NULL,
      task TEXT NOT NULL,
      UNIQUE (project, name)
    ) STRICT;
    CREATE TABLE task_member (agent TEXT NOT NULL, task TEXT NOT NULL, PRIMARY KEY (agent, task)) STRICT, WITHOUT ROWID;
  `,
}

export const taskProjector: Projector = {
  name: 'tasks',
  clear: (db) => db.exec('DELETE FROM task; DELETE FROM task_member'),
  apply: (db, record) => {
    if (!isTaskRecord(record)) return
    const task = evolveTask(findTaskById(db, taskId(record)), record)
    if (task !== undefined) save(db, task)
  },
}

const save = (db: Database, task: Task): void => {
  db.prepare(
    'INSERT INTO task (id, project, name, at, is_done, task) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET is_done = excluded.is_done, task = excluded.task',
  ).run(task.id, task.project, task.name, task.createdAt, Number(task.state === 'done'), JSON.stringify(task))
  db.prepare('DELETE FROM task_member WHERE task = ?').run(task.id)
  const join = db.prepare('INSERT OR IGNORE INTO task_member (agent, task) VALUES (?, ?)')
  for (const { agent } of task.members) join.run(agent.id, task.id)
}

const toTask = (row: Row | undefined): Task | undefined => row && JSON.parse(String(row['task']))

export const findTaskById = (db: Database, id: string): Task | undefined =>
  toTask(db.prepare('SELECT task FROM task WHERE id = ?').get(id))

/** In whatever case it is written. */
export const findTask = (db: Database, project: string, name: string): Task | undefined =>
  toTask(db.prepare('SELECT task FROM task WHERE project = ? AND name = ?').get(project, name))

/** The tasks of one project, oldest first; null: of all projects. */
export const allTasks = (db: Database, project: string | null): Task[] =>
  db
    .prepare('SELECT task FROM task WHERE project = coalesce(?, project) ORDER BY at, id')
    .all(project)
    .map((row) => JSON.parse(String(row['task'])))

/** The task that an agent works on; finished tasks have no agents. */
export const taskOfAgent = (db: Database, agent: string): Task | undefined =>
  toTask(
    db
      .prepare(
        'SELECT t.task FROM task_member m JOIN task t ON t.id = m.task WHERE m.agent = ? AND t.is_done = 0 ORDER BY t.at DESC LIMIT 1',
      )
      .get(agent),
  )

export const taskStore: StorePart = {
  migrations: [taskTables],
  projector: taskProjector,
  json: { task: ['task'] },
  readState: (db) => allTasks(db, null),
}
