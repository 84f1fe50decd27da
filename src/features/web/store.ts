import type { Device } from '../../contract/device.ts'
import type { Projector, StorePart } from '../../base/log/projector.ts'
import type { Migration } from '../../base/store/migrate.ts'
import type { Database } from '../../base/store/sqlite.ts'

const deviceTables: Migration = {
  number: 20,
  name: 'devices',
  sql: 'CREATE TABLE device (id TEXT PRIMARY KEY, at INTEGER NOT NULL, device TEXT NOT NULL) STRICT, WITHOUT ROWID',
}

const deviceProjector: Projector = {
  name: 'devices',
  clear: (db) => db.exec('DELETE FROM device'),
  apply: (db, { type, body, at }) => {
    if (type === 'device.paired') {
      const { id, pairedAt } = body.device
      db.prepare(
        'INSERT INTO device (id, at, device) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET device = excluded.device',
      ).run(id, pairedAt, JSON.stringify(body.device))
    }
    if (type === 'device.revoked') set(db, body.device, '$.revokedAt', at)
    if (type === 'device.seen') set(db, body.device, '$.lastSeenAt', at)
  },
}

const set = (db: Database, id: string, path: string, at: number): void =>
  void db.prepare('UPDATE device SET device = json_set(device, ?, ?) WHERE id = ?').run(path, at, id)

/** In the order in which they were paired. */
export const allDevices = (db: Database): Device[] =>
  db
    .prepare('SELECT device FROM device ORDER BY at, id')
    .all()
    .map((row) => JSON.parse(String(row['device'])) as Device)

export const deviceStore: StorePart = {
  migrations: [deviceTables],
  projector: deviceProjector,
  json: { device: ['device'] },
  readState: allDevices,
}
