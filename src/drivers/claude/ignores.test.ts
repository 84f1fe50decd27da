import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { ignores } from './ignores.ts'

/** What is said about the user's own settings of a project, with these files in it and in the home directory. */
const said = (files: Record<string, string>): string | null => {
  const root = tempDir()
  for (const dir of ['home/.claude', 'shop/.claude']) mkdirSync(join(root, dir), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  return ignores(join(root, 'shop/.claude/settings.local.json'), { HOME: join(root, 'home') })
}
const local = 'shop/.claude/settings.local.json'

test.each([
  ['a comment', '{"model":"sonnet" // c\n}'],
  ['a trailing comma', '{"model":"sonnet",}'],
  ['no object', '[]'],
])('a file with %s is ignored, which is said', (_, text) => {
  expect(said({ [local]: text })).toContain('no strict JSON')
})

test.each([local, 'shop/.claude/settings.json', 'home/.claude/settings.json'])(
  'hooks that are switched off in %s do not fire, which is said with its name',
  (name) => {
    expect(said({ [local]: '{}', [name]: '{"disableAllHooks":true}' })).toContain(name)
  },
)

test('what stands nearer counts', () => {
  const off = '{"disableAllHooks":true}'
  expect(said({ [local]: '{"disableAllHooks":false}', 'home/.claude/settings.json': off })).toBeNull()
})

test('a file as it should be is read, and others are not looked at', () => {
  expect(said({ [local]: '\uFEFF{"hooks":{}}' })).toBeNull()
  expect(ignores('/p/CLAUDE.md', {})).toBeNull()
})
