import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readScreen } from './screen.ts'

const screen = (version: string, name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/screens/claude', version, name, 'screen.txt'), 'utf8')

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

describe('a dialog', () => {
  const rule = '─'.repeat(100)
  const options = (shown: string) => {
    const reading = readScreen(shown)
    return reading.kind === 'dialog'
      ? reading.options.map(({ label, means, takesText }) => [label, takesText === true ? 'text' : means])
      : []
  }

  test('about a plan: the yes that is only a yes, and the line for feedback', () => {
    const lines = [
      rule,
      ' Claude has written up a plan and is ready to execute. Would you like to proceed?',
      '',
      ' ❯ 1. Yes, and bypass permissions',
      '   2. Yes, manually approve edits',
      '   3. Tell Claude what to change',
      '      shift+tab to approve with this feedback',
    ]
    expect(readScreen(lines.join('\n'))).toMatchObject({ name: 'plan', asks: 'plan' })
    expect(options(lines.join('\n'))).toEqual([
      ['Yes, and bypass permissions', 'other'],
      ['Yes, manually approve edits', 'allow'],
      ['Tell Claude what to change', 'text'],
    ])
  })

  test('about a plan that stands nowhere', () => {
    const lines = [rule, ' Exit plan mode?', '', '  Claude wants to exit plan mode', '', '  ❯ 1. Yes', '    2. No']
    expect(readScreen(lines.join('\n'))).toMatchObject({ name: 'plan', asks: 'plan' })
  })

  test('with a question: the options above the last rule and the one below it', () => {
    const lines = [
      rule,
      ' ☐ Colour',
      'Which colour?',
      '❯ 1. Red',
      '     r',
      '  2. Blue',
      '     b',
      '  3. Type something.',
      rule,
      '  4. Chat about this',
      'Enter to select · ↑/↓ to navigate · Esc to cancel',
    ]
    expect(readScreen(lines.join('\n'))).toMatchObject({ name: 'question', asks: 'question' })
    expect(options(lines.join('\n'))).toEqual([
      ['Red', 'other'],
      ['Blue', 'other'],
      ['Type something.', 'text'],
      ['Chat about this', 'other'],
    ])
  })

  test('with a yes for later, too', () => {
    const lines = [
      rule,
      ' Do you want to proceed?',
      ' ❯ 1. Yes',
      '   2. Yes, and always allow access to x/',
      '   3. No',
    ]
    expect(options(lines.join('\n')).map(([, means]) => means)).toEqual(['allow', 'other', 'deny'])
  })
})
