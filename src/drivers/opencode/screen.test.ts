import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readScreen } from './screen.ts'

const recorded = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/screens/opencode/1.18.33', name, 'screen.txt'), 'utf8')
const read = (name: string) => readScreen(recorded(name))

test.each([
  ['idle-home', 'idle', ''],
  ['home-draft', 'idle', 'a draft on home'],
  ['idle', 'idle', ''],
  ['narrow-idle', 'idle', ''],
  ['interrupted', 'idle', ''],
  ['api-error', 'idle', ''],
  ['undone', 'idle', 'SAY:to be undone'],
  ['busy', 'busy', ''],
  ['busy-esc-once', 'busy', ''],
  ['busy-queued', 'busy', ''],
  ['busy-draft', 'busy', 'first line\n  second'],
])('%s', (name, kind, draft) => {
  expect(read(name)).toEqual({ kind, draft })
})

test('a list of commands belongs to the draft that opened it', () => {
  expect(read('autocomplete')).toMatchObject({ kind: 'idle', draft: expect.stringContaining('/mod') })
})

test.each(['palette', 'models', 'home-palette'])('%s lies over everything: nothing is sure', (name) => {
  expect(read(name)).toEqual({ kind: 'unknown' })
})

test.each(['permission-bash', 'permission-edit', 'narrow-permission'])('%s', (name) => {
  expect(read(name)).toMatchObject({
    kind: 'dialog',
    name: 'permission',
    asks: 'permission',
    text: expect.stringMatching(/^△ Permission required/),
    options: [
      { label: 'Allow once', keys: ['Enter'], means: 'allow' },
      { label: 'Allow always', means: 'other' },
      { label: 'Reject', keys: ['Escape'], means: 'deny' },
    ],
  })
})

test('a permission for good has to be confirmed', () => {
  expect(read('permission-always')).toMatchObject({ name: 'always allow', options: [{ label: 'Confirm' }, {}] })
})

test.each(['question', 'question-two'])('%s', (name) => {
  expect(read(name)).toMatchObject({
    kind: 'dialog',
    asks: 'question',
    text: expect.stringContaining('Which colour?'),
    options: [
      { label: 'Red', keys: ['1'], means: 'other' },
      { label: 'Blue', keys: ['2'], means: 'other' },
      { label: 'Type your own answer', keys: ['3'], means: 'other' },
      { label: 'Dismiss', keys: ['Escape'], means: 'deny' },
    ],
  })
})

test('what the agent prints can pretend neither a dialog nor an input box', () => {
  const box = `  ╹${'▀'.repeat(100)}\n   /home/dev    15 (0%)  ctrl+p commands`
  const dialog = '  ┃  △ Permission required\n  ┃   Allow once   Allow always   Reject    enter confirm\n  ┃'
  expect(readScreen(`${dialog}\n\n${recorded('idle')}`)).toEqual({ kind: 'idle', draft: '' })
  expect(readScreen(`  ┃\n  ┃\n  ┃  Build\n${box}\n\n${recorded('permission-bash')}`)).toMatchObject({ kind: 'dialog' })
  expect(readScreen(`  ┃\n  ┃\n  ┃  Build\n${box}\n\nmore of it`)).toEqual({ kind: 'unknown' })
})

test.each(['', '\n\n', 'starting…'])('nothing known: %j', (screen) => {
  expect(readScreen(screen)).toEqual({ kind: 'unknown' })
})
