import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { findDriver } from '../../drivers/registry.ts'
import { areTrusted, findForeigners, findTeam, foreignPlace, linesOf, someLinesOf } from './repository.ts'
import { distrust, readTrusted, trust } from './trusted.ts'

const repository = (name: string, command: string): string => {
  const cwd = join(tempDir(), name)
  mkdirSync(join(cwd, '.claude'), { recursive: true })
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command }] }] }
  writeFileSync(join(cwd, '.claude/settings.json'), JSON.stringify({ hooks }))
  return cwd
}
const lookAt = (cwd: string, state: string) => {
  const found = findForeigners(findDriver('claude'), foreignPlace(cwd, { HOME: '/home/nobody' }, { state }))
  if (found === null) throw new Error('Nothing was found.')
  return found
}

test('trust covers what was found in that place, and nothing that came later', async () => {
  const state = join(tempDir(), 'state')
  const cwd = repository('mine', './hook')
  const found = lookAt(cwd, state)
  expect(await areTrusted(state, found)).toBe(false)
  await trust(state, [found])
  expect(await areTrusted(state, lookAt(cwd, state))).toBe(true)
  expect(await areTrusted(state, lookAt(repository('theirs', './hook'), state))).toBe(false)
  writeFileSync(join(cwd, '.claude/settings.json'), JSON.stringify({ env: { PATH: '.' } }))
  expect(await areTrusted(state, lookAt(cwd, state))).toBe(false)
})

test('it is taken back for one place, and rule files stay as they are', async () => {
  const state = join(tempDir(), 'state')
  const [one, other] = [repository('one', 'x'), repository('other', 'x')].map((cwd) => lookAt(cwd, state)) as [
    ReturnType<typeof lookAt>,
    ReturnType<typeof lookAt>,
  ]
  await trust(state, [{ text: 'a rule' }, one, other])
  expect(await distrust(state, one.place)).toBe(1)
  expect(await distrust(state, one.place)).toBe(0)
  expect((await readTrusted(state)).texts.map(({ place }) => place)).toEqual(['', other.place])
})

test('nothing in a command line reaches the terminal as it is', () => {
  const cwd = repository('evil', 'true \u001b[2J\u202e\r\nrein: all is well')
  const [line] = linesOf(lookAt(cwd, '/state'), cwd)
  expect(line).toBe('  .claude/settings.json: hook SessionStart: true \\u{1b}[2J\\u{202e}\\u{d} rein: all is well')
  expect(someLinesOf(lookAt(repository('long', 'x'.repeat(5000)), '/state'), cwd)[0]).toHaveLength(301)
})

test('a team is trusted with its prompts', () => {
  const cwd = tempDir()
  const text = (prompt: string) => findTeam(join(cwd, '.rein/team.toml'), { ada: { prompt } }, cwd)?.text
  expect(text('Be good.')).toBe(text('Be good.'))
  expect(text('Be good.')).not.toBe(text('Be evil.'))
  expect(findTeam(join(cwd, '.rein/team.toml'), {}, cwd)).toBeNull()
})
