import type { AnyNewRecord } from '../../src/contract/record.ts'
import { LogWriter } from '../../src/base/log/writer.ts'
import { openForWriting } from '../../src/base/store/sqlite.ts'
import { migrations, projectors } from '../../src/daemon/schema.ts'
import { migrate } from '../../src/base/store/migrate.ts'
import { turnEnded, turnEntry, turnStarted } from '../support/turn-records.ts'

const perCommit = 1000

/** Turns as the daemon would have written them, in the database of one that does not run. */
export const writeHistory = (database: string, agent: string, count: number): void => {
  const db = openForWriting(database)
  migrate(db, migrations)
  const began = Date.now() - count * 1000
  const writer = new LogWriter(db, projectors)
  const records = Array.from({ length: count }, (_, at) => recordsOf(agent, began, at)).flat()
  for (let from = 0; from < records.length; from += perCommit)
    writer.write([{ kind: 'append', records: records.slice(from, from + perCommit), cursors: [] }])
  db.close()
}

const recordsOf = (agent: string, began: number, at: number): AnyNewRecord[] => {
  const parts = { turn: `turn-${at}`, conversation: 'earlier', agent, at: began + at * 1000 }
  const text = `Reply number ${at}. ${'It says a little more than that. '.repeat(at % 12)}`
  return [turnStarted(parts), turnEntry(parts, `entry-${at}`, { type: 'text', text }), turnEnded(parts)]
}

/** Runs in the page: scrolls up until the first row of all is there. Returns the most elements that the document had, and the longest task. */
export const scrollToStart = (firstText: string): string => `new Promise((resolve) => {
  let [most, longest] = [0, 0]
  const take = (entries) => {
    for (const { duration } of entries) longest = Math.max(longest, duration)
  }
  const observer = new PerformanceObserver((list) => take(list.getEntries()))
  observer.observe({ type: 'longtask' })
  const step = () => {
    most = Math.max(most, document.querySelectorAll('*').length)
    const first = document.querySelector('[aria-posinset="1"]')
    if (first?.textContent.includes(${JSON.stringify(firstText)})) {
      take(observer.takeRecords())
      observer.disconnect()
      return resolve({ most, longest, rows: Number(first.getAttribute('aria-setsize')) })
    }
    document.querySelector('.list').scrollTop = 0
    requestAnimationFrame(step)
  }
  step()
})`
