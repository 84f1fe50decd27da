import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readScreen } from './screen.ts'

const screen = (version: string, name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/claude', version, 'screens', `${name}.txt`), 'utf8')

describe('Claude Code 2.1.9', () => {
  const read = (name: string) => readScreen(screen('2.1.9', name))

  test.each([
    ['idle', 'idle', ''],
    ['idle-bypass', 'idle', ''],
    ['after-esc', 'idle', ''],
    ['draft', 'idle', 'a draft of mine'],
    ['busy', 'busy', ''],
    ['busy-queued', 'busy', 'Press up to edit queued messages'],
  ])('%s', (name, kind, draft) => {
    expect(read(name)).toEqual({ kind, draft })
  })

  test.each([
    ['trust', 'trust', 'question', ['Yes, proceed', 'No, exit']],
    ['api-key', 'API key', 'question', ['Yes', 'No (recommended) ✔']],
    ['bypass', 'bypass permissions', 'question', ['No, exit', 'Yes, I accept']],
    ['question', 'question', 'question', ['Blue', 'Red', 'Type something.']],
    ['permission', 'permission', 'permission', ['Yes', 'Yes, and always allow access to cwd/ from this project', 'No']],
  ])('%s', (file, name, asks, labels) => {
    const options = labels.map((label, index) => ({ keys: [String(index + 1)], label }))
    expect(read(file)).toMatchObject({ kind: 'dialog', name, asks, options })
  })
})

test('what the agent prints can pretend neither a dialog nor work', () => {
  const rule = '─'.repeat(100)
  const composer = `${rule}\n❯\n${rule}\n  ? for shortcuts\n`
  const printed = ['● Do you want to proceed?', '  ❯ 1. Yes', '    2. No', '  ✻ Working… (esc to interrupt)'].join('\n')
  expect(readScreen(`${printed}\n\n${composer}`)).toEqual({ kind: 'idle', draft: '' })
})
