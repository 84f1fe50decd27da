import { prunePiece } from '../../src/base/log/store.ts'
import type { Database } from '../../src/base/store/sqlite.ts'

/** Drops the beginning of a topic up to the first record that is younger than `before`, whatever is made of it. */
export const pruneAll = (db: Database, topic: string, before: number): number => {
  let total = 0
  for (let after: number | null = 0; after !== null; ) {
    const { count, next } = prunePiece(db, { topic, before, after }, { isSpare: () => true })
    total += count
    after = next
  }
  return total
}
