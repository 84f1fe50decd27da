import { parseIdPart, tailLength } from '../../contract/ids.ts'
import type { Database } from './sqlite.ts'

/** As many as an error message lists. */
const mostFound = 6

const tail = `substr(id, -${tailLength})`

/** The index that finds an id by its short form. */
export const tailIndex = (table: string): string => `CREATE INDEX ${table}_tail ON ${table} (${tail});`

/** The ids of a table that a typed part of one can mean: two range searches, however many rows there are. */
export const findIds = (db: Database, table: string, given: string): string[] => {
  const part = parseIdPart(given)
  if (part === null) return []
  const { kind, digits } = part
  // Ids consist of letters, digits, dashes and underscores: a tilde sorts after all of these.
  return db
    .prepare(
      `SELECT id FROM ${table} WHERE id >= ? AND id < ?
       UNION SELECT id FROM ${table} WHERE ${tail} >= ? AND ${tail} < ? AND substr(id, 1, ?) = ? LIMIT ${mostFound}`,
    )
    .all(given, `${given}~`, digits, `${digits}~`, kind.length, kind)
    .map((row) => String(row['id']))
}
