import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rulesOf, shell } from '../../../test/support/rules-world.ts'
import { claude } from '../../drivers/claude/driver.ts'
import { readShell } from '../../base/shell/read.ts'
import { Deeds } from './deeds.ts'
import { evaluate } from './evaluate.ts'
import { GitLook } from './git.ts'
import { noMemory } from './memory.ts'
import { worldOf } from './world.ts'

let root = ''

const put = (file: string): void => {
  mkdirSync(join(root, file, '..'), { recursive: true })
  writeFileSync(join(root, file), 'x')
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'rein-unit-'))
  for (const file of ['.rein/rules/t.yaml', 'secret/key', 'secret/d/x', 'sub/.env', 'sub/a.md', 'a.md', 'src/a.ts'])
    put(file)
  symlinkSync('../secret/key', join(root, 'sub/link'))
  symlinkSync('../secret/d', join(root, 'sub/l'))
})

afterAll(() => rmSync(root, { recursive: true }))

const world = (at: string) =>
  worldOf(
    {
      git: new GitLook(() => 0),
      deeds: new Deeds({
        driver: () => claude,
        changesFiles: () => false,
        now: () => 0,
        since: 0,
        snapshots: () => [],
      }),
      now: () => 0,
      readShell: (command, cwd, home) => readShell(command, { cwd, home }),
      home: () => '/home/ada',
      lease: () => Promise.resolve('none'),
      budgetUsed: () => null,
    },
    { cwd: at, subagent: null },
    null,
    at,
  )

const isStopped = async (when: string, command: string, at = root): Promise<boolean> => {
  const set = await rulesOf(`  - { name: r, on: shell, when: ${when} }`, { file: join(root, '.rein/rules/a.yaml') })
  return (await evaluate(set, [shell(command)], world(at), noMemory)).length > 0
}

const changes = (globs: string): string =>
  `{ any: [{ shell: { writes: ${globs} } }, { shell: { deletes: ${globs} } }] }`
const ownFiles = changes("['.rein/rules/**', opencode.json]")
const secrets = "{ shell: { reads: ['secret/**', '**/.env'] } }"

describe('patterns of the shell', () => {
  test.each([
    'rm -f .re*/rules/*.yaml',
    "sed -i 's/a/b/' .re*/*/*.yaml",
    'echo x > .re?n/rules/t.yaml',
    'mv .re*/rules/* /tmp/',
    'cd .re* && rm -f rules/t.yaml',
    'for f in .re*/rules/*; do rm "$f"; done',
    "find . -name '*.yaml' -delete",
    'rm -rf .re*',
  ])('%s changes rules', async (command) => {
    expect(await isStopped(ownFiles, command)).toBe(true)
  })

  test.each(['cat secre*/k*', 'cat */key', 'head sub/lin[k]', 'cat sub/.e*', 'cat s*/l/x', 'cat secret/*'])(
    '%s reads a secret',
    async (command) => {
      expect(await isStopped(secrets, command)).toBe(true)
    },
  )

  test.each([
    'rm *',
    'rm *.json',
    'rm -rf s*/*.md',
    'mv */*.ts /tmp/',
    "find . -name '*.pyc' -delete",
    'for f in *.md; do rm "$f"; done',
    'cd sr* && rm a.ts',
  ])('%s changes no rules', async (command) => {
    expect(await isStopped(ownFiles, command)).toBe(false)
  })

  test.each(['cat *.md', 'cat */*.md', 'cat src/*', 'cat sub/*.md'])('%s reads no secret', async (command) => {
    expect(await isStopped(secrets, command)).toBe(false)
  })
})

describe('`..` behind a link', () => {
  test.each([
    'cat sub/l/../key',
    'cd sub/l/.. && cat key',
    'cat sub/l/../../secret/key',
    'cat src/../secret/key',
    'cat s?b/l/../key',
  ])('%s reads a secret', async (command) => {
    expect(await isStopped(secrets, command)).toBe(true)
  })

  test.each(['cat secret/../a.md', 'cat sub/../a.md', 'cd src && cat ../a.md'])('%s reads none', async (command) => {
    expect(await isStopped(secrets, command)).toBe(false)
  })
})

test('a rule of the whole project means its files also where a package has rules of its own', async () => {
  expect(await isStopped(secrets, 'cat ../secret/key', join(root, 'src'))).toBe(true)
  expect(await isStopped("{ shell: { reads: 'a.ts' } }", 'cat a.ts', join(root, 'src'))).toBe(false)
})
