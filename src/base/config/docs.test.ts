import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commonChanges, configurationPage } from './docs.ts'
import { checkSetting } from './set.ts'
import { settings } from './settings.ts'

const page = configurationPage()

test('docs/configuration.md is what the table of settings generates', () => {
  expect(readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')).toBe(page)
})

test('the page has a row for every setting', () => {
  const rows = page.split('\n').map((line) => line.split(' | ')[0]?.replace('| ', ''))
  expect(rows).toEqual(expect.arrayContaining(settings.map(({ key }) => `\`${key}\``)))
})

test.each(commonChanges)('%s: %s takes %s, and the page shows how', (_, key, value) => {
  const changed = checkSetting(key, value)
  expect(changed).not.toBe(settings.find((setting) => setting.key === key)?.default)
  expect(page).toContain(`rein config set ${key} `)
})
