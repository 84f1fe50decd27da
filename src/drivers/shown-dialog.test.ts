/** Screens of all CLIs, read without their drivers: what a version that nobody knows may show. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dialogShown } from './shown-dialog.ts'

interface Case {
  path: string
  kind: string
  screen: string
}

const root = join(import.meta.dirname, '../../test/fixtures/screens')
const cases = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('expected.json'))
  .toSorted()
  .map((path): Case => {
    const { kind } = JSON.parse(readFileSync(join(root, path), 'utf8')) as { kind: string }
    const screen = readFileSync(join(root, path, '../screen.txt'), 'utf8')
    return { path: path.replace('/expected.json', ''), kind, screen }
  })
/** Where what somebody wrote pretends to be the other: only a driver can know better. */
const isPretended = ({ path }: Case): boolean => /like-a-|like-options|\/pasted|\/login(-\d|$)/.test(path)
const pathsOf = (kinds: readonly string[], isShown: boolean): string[] =>
  cases
    .filter((one) => kinds.includes(one.kind) && !isPretended(one) && (dialogShown(one.screen) !== null) === isShown)
    .map(({ path }) => path)

test('no input box is taken for a dialog', () => {
  expect(pathsOf(['idle', 'busy'], true)).toEqual([])
})

test('no dialog is missed', () => {
  expect(pathsOf(['dialog', 'limited'], false)).toEqual([])
})

describe('the options of a dialog that nobody knows', () => {
  const options = (...lines: string[]): unknown =>
    dialogShown(lines.join('\n'))?.options.map(({ label, keys, means }) => [label, keys.join(' '), means])

  test('a list with a mark: the keys go there from where the mark is', () => {
    expect(options(' Try the new renderer?', '', '   Yes', ' ❯ Not now', '   Always', '', ' Enter to confirm')).toEqual(
      [
        ['Yes', 'Up Enter', 'allow'],
        ['Not now', 'Enter', 'deny'],
        ['Always', 'Down Enter', 'other'],
      ],
    )
  })

  test('numbers do not tell that a digit chooses', () => {
    expect(options('What now?', '  1. Go on', '› 2. Quit', '', 'press enter to choose')).toEqual([
      ['Go on', 'Up Enter', 'other'],
      ['Quit', 'Enter', 'deny'],
    ])
  })

  test('keys that the last lines name, also where those are broken', () => {
    expect(options('A notice.', '', 'Enter to stay here · shift+Tab to', 'leave · Esc to cancel')).toEqual([
      ['stay here', 'Enter', 'other'],
      ['leave', 'BTab', 'other'],
      ['cancel', 'Escape', 'deny'],
    ])
  })

  test('a frame is not part of them', () => {
    expect(options('╭──────╮', '│ Sure? │', '│ > Allow    │', '│   Deny     │', '╰──────╯')).toEqual([
      ['Allow', 'Enter', 'allow'],
      ['Deny', 'Down Enter', 'deny'],
    ])
  })

  test('none: it is shown all the same', () => {
    expect(dialogShown('Your terminal is too small.')).toMatchObject({
      text: 'Your terminal is too small.',
      options: [],
    })
  })
})

test.each([
  ['nothing', ''],
  ['an input whose box nobody knows', 'Welcome.\n\n❯ \n\n  ? for help'],
  ['work', '✻ Thinking… (12s · esc to interrupt)'],
])('%s is no dialog', (_, screen) => {
  expect(dialogShown(screen)).toBeNull()
})
