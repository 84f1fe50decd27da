import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { tempDir } from '../../../../test/support/builders.ts'
import { RuleBook } from '../book.ts'
import { Guards } from './guards.ts'

let root: string
const at = (...names: string[]): string => join(root, ...names)

beforeEach(() => {
  root = tempDir()
  for (const name of ['state', 'user', 'one/.rein/rules', 'two/.rein/rules']) mkdirSync(at(name), { recursive: true })
})

const rule = (name: string, isGuard = true): string =>
  `version: 1\nrules:\n  - { name: ${name}, on: shell, when: { regex: ${name} }, guard: ${isGuard} }\n`

const keep = async (...places: string[]): Promise<Guards> => {
  const paths = { userRules: at('user'), state: at('state') }
  const book = new RuleBook({ paths, packs: () => Promise.resolve([]) })
  const guards = new Guards({
    book,
    file: at('state/guards'),
    places: () => places,
    judge: null,
    onTrouble: (cause) => expect(cause).toBeUndefined(),
  })
  await guards.open()
  return guards
}

test('of a guard that nobody can read stands there what is wrong, in the words of JSON', async () => {
  const bad = at('one/.rein/rules/a "b".yaml')
  writeFileSync(bad, rule('hard').replace('shell', '"sh\\tll"'))
  await keep(at('one'))
  const [line = ''] = readFileSync(at('state/guards'), 'utf8').match(/^guard\t.*\tshell.*/m) ?? []
  const [, , told = '', ...rest] = line.split('\t')
  expect(JSON.parse(`"${told}"`)).toMatch(
    /^broken-guard \(a guard rule cannot be read.*a "b"\.yaml:3:\d+: `on` cannot be/,
  )
  expect(rest).toEqual(['shell'])
})

/** The root and the rule of each line. */
const held = (): string[] =>
  existsSync(at('state/guards'))
    ? readFileSync(at('state/guards'), 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('guard\t'))
        .map((line) => line.split('\t').slice(1, 3).join(' ').replace(root, ''))
    : []

test('the file is there also while there is no guard, and none but its owner reads it', async () => {
  writeFileSync(at('one/.rein/rules/a.yaml'), rule('soft', false))
  const guards = await keep(at('one'))
  expect(readFileSync(at('state/guards'), 'utf8')).toMatch(/\nend\n$/)
  writeFileSync(at('one/.rein/rules/b.yaml'), rule('hard'))
  await guards.look()
  expect(held()).toEqual(['/one hard'])
  expect(statSync(at('state/guards')).mode & 0o777).toBe(0o600)
  rmSync(at('one/.rein/rules/b.yaml'))
  await guards.look()
  expect(held()).toEqual([])
  expect(existsSync(at('state/guards'))).toBe(true)
})

test('a file that was taken away or changed is made again', async () => {
  writeFileSync(at('one/.rein/rules/a.yaml'), rule('hard'))
  const guards = await keep(at('one'))
  rmSync(at('state/guards'))
  await guards.look()
  expect(held()).toEqual(['/one hard'])
  writeFileSync(at('state/guards'), 'end\n')
  await guards.look()
  expect(held()).toEqual(['/one hard'])
})

test('what the user forbids holds everywhere, and stands there once', async () => {
  writeFileSync(at('user/mine.yaml'), rule('mine'))
  writeFileSync(at('one/.rein/rules/a.yaml'), rule('ours'))
  await keep(at('one'))
  expect(held()).toEqual(['/ mine', '/one ours'])
})

test('a project whose agents are gone is kept by the next daemon, as long as its rules are there', async () => {
  writeFileSync(at('one/.rein/rules/a.yaml'), rule('first'))
  writeFileSync(at('two/.rein/rules/a.yaml'), rule('second'))
  await keep(at('one'), at('two'))
  rmSync(at('two'), { recursive: true })
  await keep()
  expect(held()).toEqual(['/one first'])
})

test('a file that is broken now goes on forbidding', async () => {
  writeFileSync(at('one/.rein/rules/a.yaml'), rule('hard'))
  const guards = await keep(at('one'))
  writeFileSync(at('one/.rein/rules/a.yaml'), 'version: 1\nrules: [{ name: ')
  await guards.look()
  expect(held()).toEqual(['/one hard'])
})
