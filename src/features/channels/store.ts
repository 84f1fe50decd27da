import { AdapterEntry, Channel, type Message, Route } from '../../contract/channel.ts'
import type { Projector, StorePart } from '../../base/log/projector.ts'
import { findIds, tailIndex } from '../../base/store/find-ids.ts'
import type { Migration } from '../../base/store/migrate.ts'
import type { Database, Row } from '../../base/store/sqlite.ts'
import {
  evolveOutgoing,
  type HeldMessage,
  isOutgoingRecord,
  isSettled,
  type OutboxItem,
  type OutgoingRecord,
  outgoingId,
} from './channel.ts'

const channelTables: Migration = {
  number: 6,
  name: 'channels',
  sql: `
    CREATE TABLE channel (name TEXT PRIMARY KEY, channel TEXT NOT NULL) STRICT;
    CREATE TABLE adapter (name TEXT PRIMARY KEY, adapter TEXT NOT NULL) STRICT;
    CREATE TABLE channel_default (only INTEGER PRIMARY KEY CHECK (only = 1), route TEXT) STRICT;
    CREATE TABLE message (
      id TEXT PRIMARY KEY,
      channel TEXT NOT NULL,
      seq INTEGER NOT NULL,
      agent TEXT,
      message TEXT NOT NULL
    ) STRICT;
    CREATE INDEX message_held ON message (seq) WHERE agent IS NULL;
    CREATE INDEX message_channel ON message (channel, seq);
    CREATE TABLE outgoing (
      id TEXT PRIMARY KEY,
      channel TEXT NOT NULL,
      state TEXT NOT NULL,
      seq INTEGER NOT NULL,
      item TEXT NOT NULL
    ) STRICT;
    CREATE INDEX outgoing_channel ON outgoing (channel, state, seq);
  `,
}

const channelProjector: Projector = {
  name: 'channels',
  clear: (db) =>
    db.exec(
      'DELETE FROM channel; DELETE FROM channel_default; DELETE FROM message; DELETE FROM outgoing; DELETE FROM adapter',
    ),
  apply: (db, record) => {
    if (isOutgoingRecord(record)) return applyOutgoing(db, record)
    switch (record.type) {
      case 'channel.set':
        return void db
          .prepare(
            'INSERT INTO channel (name, channel) VALUES (?, ?) ON CONFLICT DO UPDATE SET channel = excluded.channel',
          )
          .run(record.body.channel.name, JSON.stringify(record.body.channel))
      case 'channel.removed':
        return void db.prepare('DELETE FROM channel WHERE name = ?').run(record.body.name)
      case 'channel.default':
        return void db
          .prepare(
            'INSERT INTO channel_default (only, route) VALUES (1, ?) ON CONFLICT DO UPDATE SET route = excluded.route',
          )
          .run(record.body.route === null ? null : JSON.stringify(record.body.route))
      case 'adapter.set':
        return void db
          .prepare(
            'INSERT INTO adapter (name, adapter) VALUES (?, ?) ON CONFLICT DO UPDATE SET adapter = excluded.adapter',
          )
          .run(record.body.adapter.name, JSON.stringify(record.body.adapter))
      case 'adapter.removed':
        return void db.prepare('DELETE FROM adapter WHERE name = ?').run(record.body.name)
      case 'message.received':
        return void db
          .prepare('INSERT INTO message (id, channel, seq, message) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
          .run(record.body.message.id, record.body.message.channel, record.seq, JSON.stringify(record.body.message))
      case 'message.answered':
      case 'message.dropped':
        return void db.prepare("UPDATE message SET agent = '' WHERE id = ?").run(record.body.message)
      case 'message.routed':
        return void db.prepare('UPDATE message SET agent = ? WHERE id = ?').run(record.body.agent, record.body.message)
      default:
    }
  },
  retention: {
    messages: {
      isSpare: (db, row) => {
        const { id, isOut } = messageOf(row)
        if (isOut) return isSettled(findOutgoing(db, id) ?? { state: 'delivered' })
        const held = db.prepare('SELECT 1 FROM message WHERE id = ? AND agent IS NULL').get(id)
        return held === undefined
      },
      drop: (db, row) => {
        const { id, isOut } = messageOf(row)
        db.prepare(`DELETE FROM ${isOut ? 'outgoing' : 'message'} WHERE id = ?`).run(id)
      },
    },
  },
}

const messageOf = ({ cause, body }: Row): { id: string; isOut: boolean } => {
  const told = JSON.parse(String(body)) as { message?: string | Message; outgoing?: { id: string } }
  if (told.outgoing !== undefined) return { id: told.outgoing.id, isOut: true }
  if (told.message === undefined) return { id: String(cause), isOut: true }
  return { id: typeof told.message === 'string' ? told.message : told.message.id, isOut: false }
}

const applyOutgoing = (db: Database, record: OutgoingRecord): void => {
  const item = evolveOutgoing(findOutgoing(db, outgoingId(record)), record)
  if (item === undefined) return
  db.prepare(
    'INSERT INTO outgoing (id, channel, state, seq, item) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET state = excluded.state, item = excluded.item',
  ).run(item.outgoing.id, item.outgoing.channel, item.state, item.seq, JSON.stringify(item))
}

export const allChannels = (db: Database): Channel[] =>
  db
    .prepare('SELECT channel FROM channel ORDER BY name')
    .all()
    .map((row) => Channel.parse(JSON.parse(String(row['channel']))))

export const allAdapters = (db: Database): AdapterEntry[] =>
  db
    .prepare('SELECT adapter FROM adapter ORDER BY name')
    .all()
    .map((row) => AdapterEntry.parse(JSON.parse(String(row['adapter']))))

export const defaultRoute = (db: Database): Route | null => {
  const kept = db.prepare('SELECT route FROM channel_default').get()?.['route']
  return typeof kept === 'string' ? Route.parse(JSON.parse(kept)) : null
}

/** The waiting messages, in order of arrival. */
export const heldMessages = (db: Database): HeldMessage[] =>
  db.prepare('SELECT seq, message FROM message WHERE agent IS NULL ORDER BY seq').all().map(toHeld)

const channelTails: Migration = {
  number: 18,
  name: 'short ids of messages',
  sql: tailIndex('message') + tailIndex('outgoing'),
}

export const messagesNamed = (db: Database, given: string): string[] => findIds(db, 'message', given)

export const outgoingNamed = (db: Database, given: string): string[] => findIds(db, 'outgoing', given)

export const findMessage = (db: Database, id: string): Message | undefined => {
  const row = db.prepare('SELECT seq, message FROM message WHERE id = ?').get(id)
  return row === undefined ? undefined : toHeld(row).message
}

export const findOutgoing = (db: Database, id: string): OutboxItem | undefined => {
  const row = db.prepare('SELECT item FROM outgoing WHERE id = ?').get(id)
  return row === undefined ? undefined : toItem(row)
}

/** In this state, of one channel or of all, oldest first. */
export const outgoingItems = (db: Database, state: OutboxItem['state'], channel: string | null): OutboxItem[] =>
  db
    .prepare('SELECT item FROM outgoing WHERE state = ? AND (? IS NULL OR channel = ?) ORDER BY seq')
    .all(state, channel, channel)
    .map(toItem)

export const countDead = (db: Database, channel: string): number =>
  Number(db.prepare("SELECT count(*) AS n FROM outgoing WHERE state = 'dead' AND channel = ?").get(channel)?.['n'] ?? 0)

const toHeld = (row: Row): HeldMessage => ({ seq: Number(row['seq']), message: JSON.parse(String(row['message'])) })

const toItem = (row: Row): OutboxItem => JSON.parse(String(row['item']))

export const channelStore: StorePart = {
  migrations: [channelTables, channelTails],
  projector: channelProjector,
  json: {
    channel: ['channel'],
    adapter: ['adapter'],
    channel_default: ['route'],
    message: ['message'],
    outgoing: ['item'],
  },
  readState: (db) => [
    allChannels(db),
    allAdapters(db),
    defaultRoute(db),
    heldMessages(db),
    outgoingItems(db, 'pending', null),
  ],
}
