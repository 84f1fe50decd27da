import type { Receipt } from '../../src/contract/directive.ts'
import { openDatabase } from '../../src/base/store/sqlite.ts'
import type { ReinPaths } from '../../src/base/util/paths.ts'
import { noteOf } from './truth.ts'

export type Stored = Pick<Receipt, 'state' | 'steps'>

/** What the database holds of each note, read from the file as an auditor would, with no daemon in between. */
export const readReceipts = (paths: ReinPaths): Map<string, Stored> => {
  const db = openDatabase(paths.database, { readOnly: true })
  try {
    // What Rein itself says (that an agent crashed) carries no note.
    const rows = db.prepare("SELECT id, item FROM directive WHERE item ->> '$.directive.origin' IS NULL").all()
    return new Map(rows.map((row) => [noteOf(String(row['id'])), JSON.parse(String(row['item'])) as Stored]))
  } finally {
    db.close()
  }
}
