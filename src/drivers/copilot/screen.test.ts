import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readScreen } from './screen.ts'

const screens = join(import.meta.dirname, '../../../test/fixtures/screens/copilot/1.0.102')
const read = (name: string) => readScreen(readFileSync(join(screens, name, 'screen.txt'), 'utf8'))

describe('Copilot 1.0.102', () => {
  test.each([
    ['idle', 'idle', ''],
    ['idle-plan', 'idle', ''],
    ['interrupted', 'idle', ''],
    ['background', 'idle', ''],
    ['draft', 'idle', '2'],
    ['busy', 'busy', ''],
    ['busy-tool', 'busy', ''],
    ['busy-queued', 'busy', ''],
  ])('%s', (name, kind, draft) => {
    expect(read(name)).toEqual({ kind, draft })
  })

  test('a draft of several lines', () => {
    const draft = expect.stringMatching(/^line one .*\n\n {4}indented line two\n[^]*SAY:paste ok$/)
    expect(read('paste')).toEqual({ kind: 'idle', draft })
  })

  test.each([
    ['trust', 'question', ['1', 'allow'], ['2', 'other'], ['Escape', 'deny']],
    ['permission', 'permission', ['1', 'allow'], ['2', 'other'], ['Escape', 'deny']],
    ['path', 'permission', ['1', 'allow'], ['2', 'other'], ['Escape', 'deny']],
    ['plan', 'plan', ['1', 'other'], ['2', 'allow'], ['3', 'other'], ['4', 'other'], ['Escape', 'deny']],
  ])('%s', (name, asks, ...options) => {
    const found = read(name)
    expect(found).toMatchObject({ kind: 'dialog', name: name === 'path' ? 'permission' : name, asks })
    expect(found.kind === 'dialog' && found.options.map(({ keys, means }) => [keys.join(' '), means])).toEqual(options)
  })

  test('what is to be decided stands in a dialog', () => {
    expect(read('permission')).toMatchObject({ text: expect.stringContaining('touch perm1') })
  })

  test('a question with a list', () => {
    expect(read('question')).toMatchObject({
      name: 'question',
      asks: 'question',
      text: expect.stringContaining('Which colour?'),
      options: [
        { label: 'Blue', keys: ['Enter'], means: 'other' },
        { label: 'Red', keys: ['Down', 'Enter'], means: 'other' },
        { label: 'Other (type your answer)', keys: ['Down', 'Down', 'Enter'], means: 'other' },
        { label: 'Cancel', keys: ['Escape'], means: 'deny' },
      ],
    })
  })

  test.each([
    ['rewind', 'unknown dialog'],
    ['login', 'login'],
  ])('%s is for a person', (screen, name) => {
    expect(read(screen)).toMatchObject({ kind: 'dialog', name, options: [] })
  })
})

const rule = '─'.repeat(100)
const composer = `${rule}\n❯\n${rule}\n ← open sidebar · Interactive · Manual Approval · / commands\n`

test('what the agent prints can pretend neither a dialog nor work', () => {
  const printed = [
    ' ╭────╮',
    ' │ Do you want to run this command? │',
    ' │ ❯ 1. Yes │',
    ' ╰────╯',
    ' ◎ Working · 18 B esc esc interrupt',
    ' Please use /login to sign in to use Copilot',
    ` ${rule}`,
  ]
  expect(readScreen(`${printed.join('\n')}\n\n /home/dev/app\n${composer}`)).toEqual({ kind: 'idle', draft: '' })
})

test.each(['', 'command not found', `${rule}\n❯`, `${composer}one line\nand one more\n`])(
  'what was never seen is not known: %j',
  (screen) => {
    expect(readScreen(screen)).toEqual({ kind: 'unknown' })
  },
)
