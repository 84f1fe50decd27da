import type { AliasKind } from '../../contract/project.ts'
import type { Projector, StorePart } from '../../base/log/projector.ts'
import type { Migration } from '../../base/store/migrate.ts'
import type { Database } from '../../base/store/sqlite.ts'

const projectTables: Migration = {
  number: 14,
  name: 'projects',
  sql: `
    CREATE TABLE project_alias (
      kind TEXT NOT NULL,
      key TEXT NOT NULL,
      project TEXT NOT NULL,
      place TEXT,
      PRIMARY KEY (kind, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX project_alias_project ON project_alias (project, kind);
  `,
}

const projectProjector: Projector = {
  name: 'projects',
  clear: (db) => db.exec('DELETE FROM project_alias'),
  apply: (db, record) => {
    if (record.type !== 'project.known') return
    const { project, aliases, gone } = record.body
    const drop = db.prepare("DELETE FROM project_alias WHERE kind = 'path' AND key = ?")
    for (const key of gone) drop.run(key)
    const save = db.prepare(
      'INSERT INTO project_alias (kind, key, project, place) VALUES (?, ?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET project = excluded.project, place = excluded.place',
    )
    for (const { kind, key, place } of aliases) save.run(kind, key, project, place)
  },
}

export const findProject = (db: Database, kind: AliasKind, key: string): string | null => {
  const row = db.prepare('SELECT project FROM project_alias WHERE kind = ? AND key = ?').get(kind, key)
  return row === undefined ? null : String(row.project)
}

export const hasAlias = (db: Database, project: string, kind: AliasKind): boolean =>
  db.prepare('SELECT 1 FROM project_alias WHERE project = ? AND kind = ?').get(project, kind) !== undefined

export const isTaken = (db: Database, project: string): boolean =>
  db.prepare('SELECT 1 FROM project_alias WHERE project = ?').get(project) !== undefined

/** Where a project is, or was. */
export const placesOf = (db: Database, project: string): { key: string; place: string }[] =>
  db
    .prepare("SELECT key, place FROM project_alias WHERE project = ? AND kind = 'path' AND place IS NOT NULL")
    .all(project)
    .map(({ key, place }) => ({ key: String(key), place: String(place) }))

export const isEmpty = (db: Database): boolean => db.prepare('SELECT 1 FROM project_alias').get() === undefined

export const projectStore: StorePart = {
  migrations: [projectTables],
  projector: projectProjector,
}
