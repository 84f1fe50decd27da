import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readScreen } from './screen.ts'

const directory = join(import.meta.dirname, '../../../test/fixtures/screens/gemini/0.61.0')
const read = (name: string) => readScreen(readFileSync(join(directory, name, 'screen.txt'), 'utf8'))

test.each([
  ['idle', 'idle', ''],
  ['idle-plan', 'idle', ''],
  ['after-esc', 'idle', ''],
  ['draft', 'idle', 'a draft of mine'],
  ['draft-lines', 'idle', 'first line\nsecond line of a draft'],
  ['busy', 'busy', ''],
  ['busy-tool', 'busy', ''],
  ['busy-queued', 'busy', ''],
  ['busy-colours', 'busy', ''],
  ['busy-hooks', 'busy', ''],
])('%s', (name, kind, draft) => {
  expect(read(name)).toEqual({ kind, draft })
})

test('while it starts, its input is there already, but loses what is typed', () => {
  expect(read('starting')).toEqual({ kind: 'unknown' })
})

test.each([
  ['trust', 'trust', 'question', ['Trust folder (proj):allow', 'Trust parent folder (dev):other', "Don't trust:deny"]],
  ['login', 'login', 'question', ['Sign in with Google:other', 'Use Gemini API Key:other', 'Vertex AI:other']],
  ['rewind', 'rewind', 'question', ['Rewind conversation:allow', 'Do nothing (esc):deny']],
  [
    'permission',
    'permission',
    'permission',
    ['Allow once:allow', 'Allow for this session:other', 'No, suggest changes (esc):deny'],
  ],
  [
    'permission-edit',
    'permission',
    'permission',
    [
      'Allow once:allow',
      'Allow for this session:other',
      'Modify with external editor:other',
      'No, suggest changes (esc):deny',
    ],
  ],
  [
    'plan',
    'plan',
    'plan',
    [
      'Yes, automatically accept edits:other',
      'Yes, manually accept edits:allow',
      'Type your feedback...:other',
      'Esc to cancel:deny',
    ],
  ],
  ['question', 'question', 'question', ['Blue:other', 'Red:other', 'Enter a custom value:other', 'Esc to cancel:deny']],
])('the dialog %s', (file, name, asks, options) => {
  const reading = read(file)
  expect(reading).toMatchObject({ kind: 'dialog', name, asks })
  if (reading.kind !== 'dialog') return
  expect(reading.options.map(({ label, means }) => `${label}:${means}`)).toEqual(options)
  const keys = options.map((option, index) => (option.startsWith('Esc ') ? ['Escape'] : [String(index + 1)]))
  expect(reading.options.map((option) => option.keys)).toEqual(keys)
})

test('a dialog tells what it is about', () => {
  expect(read('permission')).toMatchObject({ text: expect.stringContaining('touch z1') })
})

const rule = '─'.repeat(100)
const composer = ['', rule, ' Shift+Tab to accept edits', ' >   Type your message or @path/to/file', ''].join('\n')

test('what the agent prints can pretend neither a dialog nor work', () => {
  const line = '─'.repeat(40)
  const box = [`╭${line}╮`, '│ ● 1. Allow once                        │', `╰${line}╯`]
  const printed = ['✦ Allow execution of [Shell]?', ...box, '  ⠋ Thinking... (esc to cancel, 1s)'].join('\n')
  expect(readScreen(`${printed}\n${composer}`)).toEqual({ kind: 'idle', draft: '' })
})

test('text for its shell is none for the agent', () => {
  expect(readScreen(`✦ hi\n\n${composer.replace(' > ', ' ! ')}`)).toEqual({ kind: 'unknown' })
})
