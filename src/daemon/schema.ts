import type { Projector, StorePart } from '../base/log/projector.ts'
import type { Migration } from '../base/store/migrate.ts'
import type { Database } from '../base/store/sqlite.ts'
import { stores } from './stores.ts'

const all: readonly StorePart[] = stores

export const migrations: readonly Migration[] = all
  .flatMap((store) => store.migrations)
  .toSorted((a, b) => a.number - b.number)

export const projectors: readonly Projector[] = all.flatMap(({ projector }) => projector ?? [])

/** The columns of tables of state that hold JSON, as table and column. */
export const jsonColumns: readonly (readonly [string, string])[] = all
  .flatMap(({ json = {} }) => Object.entries(json))
  .flatMap(([table, columns]) => columns.map((column) => [table, column] as const))

/** Reads the state that a daemon starts with, and throws where that daemon would. */
export const readState = (db: Database): void => all.forEach((store) => store.readState?.(db))
