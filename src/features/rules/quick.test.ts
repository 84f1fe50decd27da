import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shell, sourceOf, worldOf } from '../../../test/support/rules-world.ts'
import type { Matcher } from '../../contract/rule.ts'
import { readShell } from '../../base/shell/read.ts'
import { loadRules } from './load.ts'
import { lookAt } from './match/look.ts'

const leaf = fc.constantFrom<Matcher>(
  { regex: 'push' },
  { regex: { pattern: '^GIT', flags: 'i' } },
  { regex: { pattern: 'x', on: 'input' } },
  { shell: { program: 'git' } },
  { shell: { program: ['gi*', 'rm'], flags: '-f' } },
  { shell: { subcommand: 'push', without_flags: ['--force'] } },
  { shell: { program: 'rm', deletes: 'src/**' } },
  { shell: { words: '^rm .*src' } },
  { state: { branch: 'main' } },
)
const matcher = fc.letrec<{ one: Matcher }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('one'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('one'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie('one').map((not) => ({ not })),
  ),
})).one
const command = fc
  .array(
    fc.constantFrom(
      'git push',
      '--force',
      '-f',
      'rm -rf src',
      '&&',
      '|',
      '$x',
      '"',
      'echo',
      'src/a',
      ';',
      '$(git push)',
    ),
    { maxLength: 6 },
  )
  .map((words) => words.join(' '))

test('what the quick look leaves out would never fit', async () => {
  const isSound = fc.asyncProperty(matcher, command, fc.boolean(), async (when, line, guard) => {
    const text = JSON.stringify({ version: 1, rules: [{ name: 'a', on: 'shell', guard, when }] })
    const { rules } = await loadRules([sourceOf(text)])
    const world = worldOf({ readShell: (given, cwd) => readShell(given, { cwd, home: null }) })
    const look = lookAt(shell(line), world, () => undefined)
    const [loaded] = rules
    return loaded !== undefined && (loaded.quick(look) || (await loaded.fits(look)) === null)
  })
  await expect(fc.assert(isSound, { numRuns: 300 })).resolves.toBeUndefined()
})
