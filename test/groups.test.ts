import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groups, groupsOfTier, repeatCommand } from './support/groups.ts'

/** What a shell hands to npm after `-t`. */
const patternIn = (command: string): string => {
  const [, words = ''] = command.split(' -t ')
  return execFileSync('sh', ['-c', `printf %s ${words}`], { encoding: 'utf8' })
}

describe('the command that repeats a failed test', () => {
  test('names file, test and seed', () => {
    expect(repeatCommand('src/a.test.ts', ['suite', 'it works'], '7')).toBe(
      "REIN_TEST_SEED=7 npm test -- src/a.test.ts -t 'suite it works'",
    )
    expect(repeatCommand('src/a.test.ts', [])).toBe('npm test -- src/a.test.ts')
  })

  test('finds the test by any name, through a shell', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', ' ', "'", '"', '$', '(', ')', '[', ']', '\\', '*', '.', '|', '`', 'ä'),
      minLength: 1,
    })
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), (names) => {
        const pattern = patternIn(repeatCommand('src/a.test.ts', names, '7'))
        expect(new RegExp(`^${pattern}$`).test(names.join(' '))).toBe(true)
      }),
      { numRuns: 25 },
    )
  })
})

describe('the groups', () => {
  test('npm test runs the first tier, npm run test:full all of them', () => {
    expect(groupsOfTier('test').map(({ name }) => name)).toEqual(['unit', 'process', 'proof'])
    expect(groupsOfTier('full')).toEqual(groups)
  })

  test('every folder with tests belongs to one', () => {
    const root = import.meta.dirname
    const folders = readdirSync(root, { withFileTypes: true })
      .filter(
        (entry) => entry.isDirectory() && readdirSync(join(root, entry.name)).some((file) => file.endsWith('.test.ts')),
      )
      .map(({ name }) => name)
    const folderGroups = groups.map(({ name }) => name).filter((name) => name !== 'unit')
    expect(folders.toSorted()).toEqual(folderGroups.toSorted())
  })
})
