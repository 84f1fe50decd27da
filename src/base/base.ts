import type { Settings } from './config/settings.ts'
import type { Journal } from '../contract/logs.ts'
import type { AnyNewRecord } from '../contract/record.ts'
import type { Log } from './log/log.ts'
import type { CursorMove } from './log/writer.ts'
import type { LineReaders } from './shell/line-readers.ts'
import type { Database } from './store/sqlite.ts'
import type { ReinPaths } from './util/paths.ts'

/** What stays the same from one daemon to the next: the loopback port and the secrets behind every token. */
export interface Endpoint {
  port: number
  /** The port that the page had before, and when another program was found to have it. */
  lost?: { port: number; at: number }
  token: string
  secret: string
}

export type Append = (records: AnyNewRecord[], cursors?: CursorMove[]) => Promise<number[]>

/** What every part of the daemon stands on. */
export interface Base {
  log: Log
  /** Writes records without the secrets in them. */
  append: Append
  reader: Database
  /** What is forgotten must be in no copy of the database. */
  forgetCopies: () => void
  journal: Journal
  /** Tells of what went wrong where nobody waits for an answer. */
  troubleIn: (where: string) => (cause: unknown) => void
  paths: ReinPaths
  settings: Settings
  endpoint: Endpoint
  /** Reads lines of shell outside of this thread. */
  lines: LineReaders
  now: () => number
  newId: (prefix: string) => string
}
