import { expect, test } from 'vitest'
import { commandOutputs, commandStreams } from './command-outputs.ts'
import { jsonOutputPage } from './docs.ts'

const page = jsonOutputPage()
const sectionOf = (command: string): string => page.split(`\n### ${command}\n`)[1]?.split('\n### ')[0] ?? ''

test.each(Object.keys(commandOutputs))('%s has a table of fields', (command) => {
  expect(sectionOf(command)).toMatch(/\| field \| type \| meaning \|\n\| --- \| --- \| --- \|\n\| `\w+`/)
})

test.each(Object.keys(commandStreams))('%s is among those that print line by line', (command) => {
  expect(page).toContain(`| \`${command}\` | `)
})

test('inner fields follow the field that holds them', () => {
  const rows = sectionOf('rein ps').match(/^\| `[^`]+`/gm)
  expect(rows).toContain('| `inbox.queued`')
  expect(sectionOf('rein tell')).toContain('| `steps[].evidence.entry` | string, may be absent |')
  expect(rows?.indexOf('| `inbox.queued`')).toBe((rows?.indexOf('| `inbox`') ?? 0) + 1)
})

test('what may be null says so', () => {
  expect(sectionOf('rein ps')).toContain('| `pid` | number or null |')
  expect(sectionOf('rein ps')).toContain('| `question` | object or null | the question that waits for a person |')
})

test('every error code has the exit code of its kind', () => {
  expect(page).toContain('| `inbox_full` | 5 |')
  expect(page).toContain('| `unknown_agent` | 3 |')
})
