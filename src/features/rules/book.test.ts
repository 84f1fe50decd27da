import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { RuleBook } from './book.ts'
import { trust } from '../../agents/trust/trusted.ts'
import type { RuleSet } from './types.ts'

let top = ''
let book: RuleBook
let packs: string[] = []

const at = (...names: string[]): string => path.join(top, ...names)
const file = (...names: string[]): string =>
  `version: 1\nrules:\n${names.map((name) => `  - { name: ${name}, on: shell, when: { regex: ${name} } }\n`).join('')}`
const put = (name: string, text: string): void => writeFileSync(at('p/.rein/rules', name), text)
const set = async (): Promise<RuleSet> => (await book.rulesFor(at('p/src'))).set
const names = async (): Promise<string[]> => (await set()).rules.map(({ rule }) => rule.name)

beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'rein-rules-'))
  for (const directory of ['p/.rein/rules', 'p/src', 'p/.git', 'user', 'elsewhere'])
    mkdirSync(at(directory), { recursive: true })
  packs = []
  book = new RuleBook({
    paths: { userRules: at('user'), state: at('state') },
    packs: () => Promise.resolve(packs),
  })
})

afterEach(() => rmSync(top, { recursive: true }))

describe('where rules come from', () => {
  test('the user’s, then the project’s, by name', async () => {
    put('b.yaml', file('b'))
    put('a.yml', file('a'))
    put('.hidden.yaml', file('hidden'))
    put('notes.md', 'no rules')
    writeFileSync(at('user/mine.yaml'), file('mine'))
    expect(await names()).toEqual(['mine', 'a', 'b'])
    expect((await book.rulesFor(at('p/src'))).root).toBe(at('p'))
  })

  test('a project without rules has its root where git has it; elsewhere only the user’s apply', async () => {
    rmSync(at('p/.rein'), { recursive: true })
    writeFileSync(at('user/mine.yaml'), file('mine'))
    expect((await book.rulesFor(at('p/src'))).root).toBe(at('p'))
    const { root, set: elsewhere } = await book.rulesFor(at('elsewhere'))
    expect([root, elsewhere.rules.length]).toEqual([null, 1])
  })

  test('a link leads a project to no other file', async () => {
    writeFileSync(at('secret.yaml'), 'password: x')
    symlinkSync(at('secret.yaml'), at('p/.rein/rules/a.yaml'))
    const { problems } = await set()
    expect(problems.map(({ message }) => message)).toEqual([expect.not.stringContaining('password')])
  })

  test('a directory of rules outside the project is none of its', async () => {
    rmSync(at('p/.rein/rules'), { recursive: true })
    writeFileSync(at('elsewhere/a.yaml'), file('a'))
    symlinkSync(at('elsewhere'), at('p/.rein/rules'))
    expect(await names()).toEqual(['broken-guard'])
    expect((await set()).problems).toMatchObject([{ message: expect.stringContaining('leads out'), isGuard: true }])
  })

  test('a directory of rules that nobody can read any more is a problem, and what it forbade stays so', async () => {
    put('a.yaml', file('a'))
    expect(await names()).toEqual(['a'])
    rmSync(at('p/.rein/rules'), { recursive: true })
    writeFileSync(at('p/.rein/rules'), '')
    expect(await names()).toEqual(['a', 'broken-guard'])
    expect((await set()).problems).toMatchObject([{ message: expect.stringContaining('ENOTDIR'), isGuard: true }])
    rmSync(at('p/.rein/rules'))
    expect(await names()).toEqual([])
  })

  test('those of a package come to those of the whole project, up to the top of its work tree', async () => {
    put('a.yaml', file('a'))
    for (const directory of ['p/pkg/.rein/rules', 'p/pkg/deep', '.rein/rules'])
      mkdirSync(at(directory), { recursive: true })
    writeFileSync(at('p/pkg/.rein/rules/b.yaml'), file('b'))
    writeFileSync(at('.rein/rules/c.yaml'), file('c'))
    const { root, set: inPackage } = await book.rulesFor(at('p/pkg/deep'))
    expect([root, inPackage.rules.map(({ rule }) => rule.name)]).toEqual([at('p/pkg'), ['a', 'b']])
    expect(await names()).toEqual(['a'])
  })

  test('packs that are on come first; one that nobody knows is a problem', async () => {
    put('a.yaml', file('a'))
    packs = ['git-hygiene']
    expect((await set()).rules.at(0)?.origin).toBe('pack')
    packs = ['git-hygeine']
    expect((await set()).problems.map(({ message, hint }) => `${message} ${hint}`)).toEqual([
      'there is no pack git-hygeine Did you mean `git-hygiene`?',
    ])
  })
})

describe('files that change', () => {
  test('what was saved a moment ago holds at the next call', async () => {
    put('a.yaml', file('one'))
    expect(await names()).toEqual(['one'])
    for (const name of ['two', 'six', 'ten', 'one']) {
      put('a.yaml', file(name))
      expect(await names()).toEqual([name])
    }
    rmSync(at('p/.rein/rules/a.yaml'))
    expect(await names()).toEqual([])
  })

  test('a set is the old one or the new one, whole', async () => {
    const wanted = (version: number): string[] => Array.from({ length: 50 }, (_, index) => `v${version}-${index}`)
    put('a.yaml', file(...wanted(0)))
    const asked: Promise<string[]>[] = []
    for (let version = 1; version <= 10; version += 1) {
      writeFileSync(at('draft'), file(...wanted(version)))
      renameSync(at('draft'), at('p/.rein/rules/a.yaml'))
      asked.push(names(), names())
    }
    for (const found of await Promise.all(asked)) {
      const version = Number(found[0]?.slice(1).split('-')[0])
      expect(found).toEqual(wanted(version))
    }
    expect(await names()).toEqual(wanted(10))
  })

  test('whoever listens hears of each new set, once', async () => {
    const heard: number[] = []
    const stop = book.onChanged(({ set: { rules } }) => heard.push(rules.length))
    put('a.yaml', file('a'))
    await names()
    await names()
    put('a.yaml', file('a', 'b'))
    await book.refresh()
    stop()
    put('a.yaml', file('a'))
    await names()
    expect(heard).toEqual([1, 2])
  })

  test('whoever follows hears of a change although nobody asks', async () => {
    put('a.yaml', file('a'))
    await names()
    const heard = new Promise<number>((resolve, reject) => {
      book.onChanged(({ set: { rules } }) => resolve(rules.length))
      onTestFinished(book.follow(reject))
    })
    put('b.yaml', file('b'))
    expect(await heard).toBe(2)
  })

  test('who forbids goes on forbidding while the file is broken', async () => {
    const more = '  - { name: hint, on: shell, action: warn }\n'
    put('a.yaml', `${file('a', 'b')}${more}`)
    put('c.yaml', file('c'))
    await names()
    put('a.yaml', `${file('b')}  - { name: a, on: shel, guard: true }\n`)
    const broken = await set()
    expect(broken.rules.map(({ rule }) => rule.name)).toEqual(['b', 'c', 'a'])
    expect(broken.problems.map(({ message, isGuard }) => [message, isGuard])).toEqual([
      ['`on` cannot be "shel" (as it was before this, a in a.yaml still holds)', true],
    ])
    put('a.yaml', 'rules: [')
    expect(await names()).toEqual(['c', 'b', 'a'])
    put('a.yaml', '{ version: 1, rules: [{ name: b, on: shell }, { name: a, on: shel }] }')
    expect(await names()).toEqual(['b', 'c', 'a'])
    put('a.yaml', file('b'))
    expect(await names()).toEqual(['b', 'c'])
    put('a.yaml', 'rules: [')
    rmSync(at('p/.rein/rules/a.yaml'))
    expect(await names()).toEqual(['c'])
  })

  test('a guard that nobody ever could read is in doubt about all that it may look at, until it is right', async () => {
    const standIn = async (): Promise<unknown> =>
      (await set()).rules.map(({ rule, isStandIn, surfaces }) => [rule.name, isStandIn === true, surfaces])
    const doing = ['shell', 'write', 'edit', 'delete', 'fetch', 'mcp']
    const closed = (...surfaces: string[]): unknown => [['broken-guard', true, surfaces]]
    const one = (rule: string): string => `version: 1\nrules:\n  - ${rule}\n`
    for (const [text, expected] of [
      [one('{ name: a, on: [shell, read], guard: true, wehn: { regex: x } }'), closed('shell', 'read')],
      [one('{ name: a, on: [shell, wirte], guard: true }'), closed(...doing)],
      [one('{ name: a, on: shell, gaurd: true }'), closed('shell')],
      [one('{ name: a, on: write, guard: true, when: { regex: "(" } }'), closed('write')],
      [one('guard'), closed(...doing)],
      ['version: 1\nrules:\n  - { name: a, guard: true', closed(...doing)],
      ['version: 2\nrules: [{ name: a, on: shell, guard: true }]', closed(...doing)],
      [one('{ name: a, on: stop, guard: true }'), []],
      [one('{ name: a, on: shel, guard: false }'), []],
      [one('{ name: a, on: shel, guard: true, enabled: false }'), []],
      ['version: 1\nrules:\n  - { name: a, on: shel', []],
      ['', []],
      ['# guard: true\n', []],
    ] as const) {
      put('a.yaml', text)
      expect([text, await standIn()]).toEqual([text, expected])
    }
    put('a.yaml', `more: 1\n${one('{ name: a, on: shell, guard: true }')}`)
    expect(await standIn()).toEqual([['a', false, ['shell']]])
    rmSync(at('p/.rein/rules/a.yaml'))
    expect(await standIn()).toEqual([])
    mkdirSync(at('p/.rein/rules/a.yaml'))
    expect(await standIn()).toEqual(closed(...doing))
  })

  test('what held before holds in its place; a new guard that is wrong has none', async () => {
    const guard = (name: string, on = 'shell'): string => `  - { name: ${name}, on: ${on}, guard: true }\n`
    put('a.yaml', `version: 1\nrules:\n${guard('a')}`)
    await names()
    put('a.yaml', `version: 1\nrules:\n${guard('a', 'shel')}`)
    expect(await names()).toEqual(['a'])
    put('a.yaml', `version: 1\nrules:\n${guard('a')}${guard('b', 'shel')}`)
    expect(await names()).toEqual(['a', 'broken-guard'])
    put('a.yaml', `version: 1\nrules:\n${guard('a')}${guard('b', '[')}`)
    expect(await names()).toEqual(['a'])
    put('a.yaml', `version: 1\nrules:\n${guard('a')}${guard('b')}`)
    expect(await names()).toEqual(['a', 'b'])
  })

  test('a file that is trusted may rewrite at once, and not after its next change', async () => {
    const text = 'version: 1\nrules:\n  - { name: a, on: shell, action: rewrite, rewrite: { pattern: a, with: b } }\n'
    const isHeld = async (): Promise<(boolean | undefined)[]> => (await set()).rules.map((rule) => rule.isHeld)
    put('a.yaml', text)
    expect(await isHeld()).toEqual([true])
    await trust(at('state'), [{ text }])
    expect(await isHeld()).toEqual([false])
    put('a.yaml', `${text} `)
    expect(await isHeld()).toEqual([true])
  })
})
