import { ReinError } from '../../contract/errors.ts'
import { type Database, transaction } from './sqlite.ts'

/** One step of the schema: its number is its place, its name says what it does. Never edited once released. */
export interface Migration {
  number: number
  name: string
  sql: string
}

/** Brings the schema up to date, each step in its own transaction. */
export const migrate = (db: Database, migrations: readonly Migration[]): void => {
  db.exec('CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT')
  const done = Number(db.prepare('SELECT coalesce(max(number), 0) AS n FROM migration').get()?.n ?? 0)
  const newest = Math.max(0, ...migrations.map((m) => m.number))
  if (done > newest) {
    throw new ReinError(
      'record_too_new',
      `The database (schema ${done}) is of a newer Rein than this one (${newest}).`,
      'Upgrade Rein.',
    )
  }
  const sorted = migrations.toSorted((a, b) => a.number - b.number)
  const wrong = sorted.find(({ number }, index) => number !== index + 1)
  if (wrong !== undefined)
    throw new Error(`Migration ${wrong.number} (${wrong.name}) leaves a gap or repeats a number.`)
  for (const { number, name, sql } of sorted.slice(done))
    transaction(db, () => {
      db.exec(sql)
      db.prepare('INSERT INTO migration (number, name) VALUES (?, ?)').run(number, name)
    })
}
