import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readScreen } from './screen.ts'

const screen = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/screens/codex/0.166.0', name, 'screen.txt'), 'utf8')
const read = (name: string) => readScreen(screen(name))

test.each([
  ['idle', 'idle', ''],
  ['plan-mode', 'idle', ''],
  ['esc-again', 'idle', ''],
  ['interrupted', 'idle', ''],
  ['denied', 'idle', ''],
  ['draft', 'idle', 'a draft of mine'],
  ['busy-text', 'busy', ''],
  ['busy-tool', 'busy', ''],
])('%s', (name, kind, draft) => {
  expect(read(name)).toEqual({ kind, draft })
})

describe('dialogs', () => {
  const [allow, deny, other] = ['allow', 'deny', 'other']
  test.each([
    ['permission', 'permission', 'permission', [allow, other, deny]],
    ['mcp-tool', 'permission', 'permission', [allow, other, other, deny]],
    ['plan', 'plan', 'plan', [allow, other, deny]],
    ['question', 'question', 'question', [other, other, other]],
    ['working-directory', 'working directory', 'question', [other, other, other, other]],
    ['login', 'login', 'question', [other, other, other, other]],
  ])('%s', (file, name, asks, means) => {
    const options = means.map((one, index) => ({ keys: [String(index + 1)], means: one }))
    expect(read(file)).toMatchObject({ kind: 'dialog', name, asks, options })
  })

  test.each([
    [
      'trust',
      'trust',
      [
        { keys: ['1', 'Enter'], means: 'allow' },
        { keys: ['2'], means: 'deny' },
      ],
    ],
    [
      'trust-restricted',
      'trust',
      [
        { keys: ['1', 'Enter'], means: 'allow' },
        { keys: ['2'], means: 'deny' },
      ],
    ],
    [
      'hooks-review',
      'hooks review',
      [
        { keys: ['1'], means: 'other' },
        { keys: ['2', 'Enter'], means: 'allow' },
        { keys: ['3'], means: 'deny' },
      ],
    ],
  ])('%s: a digit that would trust only moves the mark', (file, name, options) => {
    expect(read(file)).toMatchObject({ kind: 'dialog', name, asks: 'question', options })
  })

  test('what a command shows cannot hide its beginning', () => {
    expect(read('permission-shell-like-options')).toMatchObject({ about: expect.stringContaining('$ touch made\n') })
  })

  test('what is asked about stands in its text, and nothing of what was printed before', () => {
    const reading = read('permission')
    const text = reading.kind === 'dialog' ? reading.text : ''
    expect(text).toContain('$ touch /home/dev/ta')
    expect(text).not.toContain('sleep 3')
  })
})

test('while the transcript is browsed, keys do not go to the composer', () => {
  expect(read('browsing')).toEqual({ kind: 'unknown' })
})

test('before Codex has opened its conversation nothing is known', () => {
  expect(readScreen('› Ask Codex to do anything\n\n  ? for shortcuts\n')).toEqual({ kind: 'unknown' })
})

test('what the agent prints can pretend neither a dialog nor idleness', () => {
  const printed =
    '• Would you like to run it?\n  › 1. Yes, proceed\n    2. No, \n  Press enter to confirm or esc to cancel\n  Ready · x'
  const composer = '› Ask Codex to do anything\n\n  Working · gpt-5.4 default · /home/dev/project\n  ? for shortcuts\n'
  expect(readScreen(`${printed}\n\n${composer}`)).toEqual({ kind: 'busy', draft: '' })
})
