import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifest } from '../../contract/manifest.ts'
import { projectors } from '../../daemon/schema.ts'
import { retentionRules } from './retention.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/database.md'), 'utf8')

/** Each row of the table on that page: its topics, and what it says. */
const rows = [...page.matchAll(/^\| ((?:`[a-z]+`(?:, )?)+) \| (.+) \|$/gm)].map(([, topics = '', rule = '']) => ({
  topics: [...topics.matchAll(/`([a-z]+)`/g)].map(([, topic]) => String(topic)),
  rule,
}))

test('docs/database.md has every topic once, and says that nothing goes exactly where nothing does', () => {
  const all = [...new Set(Object.values(manifest).map(({ topic }) => topic))].toSorted()
  expect(rows.flatMap(({ topics }) => topics).toSorted(), 'its table names the topic of each kind of record').toEqual(
    all,
  )
  const kept = rows.filter(({ rule }) => rule.startsWith('nothing')).flatMap(({ topics }) => topics)
  const rules = retentionRules(projectors)
  expect(kept.toSorted(), 'its row of what is kept names each topic without a retention').toEqual(
    all.filter((topic) => !rules.has(topic)),
  )
})
