import { describe, expect, test } from 'vitest'
import { WorkBudget } from '../../base/util/work-budget.ts'
import { pathGlobs, type Places } from './paths.ts'

const links: Record<string, string> = {
  '/p/link.ts': '/p/src/secret.ts',
  '/p/config': '/etc/app',
  '/p/config/a': '/etc/app/a',
}
const places: Places = {
  root: '/p',
  cwd: '/p/sub',
  home: '/home/ada',
  realPath: (file) => Promise.resolve(links[file] ?? file),
  entries: () => Promise.resolve(null),
  work: new WorkBudget(1_000_000),
  rootBeside: (_, file) => Promise.resolve(file.startsWith('/p/trees/x/') ? '/p/trees/x' : null),
}

const fits = (globs: string[], file: string): Promise<boolean> => pathGlobs(globs).fits(file, places)
const holds = (globs: string[], file: string): Promise<boolean> => pathGlobs(globs).fitsOrHolds(file, places)

describe('which files are meant', () => {
  test.each([
    [['src/**'], '/p/src/a.ts', true],
    [['src/**'], '../src/a.ts', true],
    [['src/**'], 'src/a.ts', false],
    [['sub/src/**'], 'src/a.ts', true],
    [['src/**'], '../lib/../src/a.ts', true],
    [['./src/**'], '/p/src/a.ts', true],
    [['**', '!src/**', 'src/keep.ts'], '/p/src/a.ts', false],
    [['**', '!src/**', 'src/keep.ts'], '/p/src/keep.ts', true],
    [['**'], '/elsewhere/a.ts', false],
    [['/etc/**'], '/etc/passwd', true],
    [['gen/**'], '/p/trees/x/gen/a.ts', true],
    [['gen/**'], '/p/trees/y/gen/a.ts', false],
    [['~/.ssh/**'], '~/.ssh/id_rsa', true],
    [['~/.ssh/**'], '/home/ada/.ssh/id_rsa', true],
    [['~/.ssh/**'], '/home/bob/.ssh/id_rsa', false],
  ])('%j and %s: %s', async (globs, file, isFit) => {
    expect(await fits(globs, file)).toBe(isFit)
  })

  test('a link hides a file neither where it is nor where it seems to be', async () => {
    expect(await fits(['src/**'], '/p/link.ts')).toBe(true)
    expect(await fits(['config/**'], '/p/config/a')).toBe(true)
    expect(await fits(['/etc/**'], '/p/config/a')).toBe(true)
  })

  test.each([
    [['src/gen/**'], '/p/src', true],
    [['src/gen/**'], '/p', true],
    [['src/gen/**'], '/', true],
    [['src/gen/**'], '/p/src/other', false],
    [['**/.env'], '/p/node_modules', false],
    [['**/.env'], '/p', true],
    [['~/.ssh/**'], '~', true],
    [['src/gen/**'], '/p/s*', true],
    [['src/gen/**'], '/p/*.log', false],
    [['.git/**'], '/p/*', false],
    [['.git/**'], '/p/.*', true],
  ])('who deletes %j and %s: %s', async (globs, file, isFit) => {
    expect(await holds(globs, file)).toBe(isFit)
  })

  test('a word that only the shell can tell is what it may stand for', async () => {
    expect(await fits(['.env'], '/p/.e*')).toBe(true)
    expect(await fits(['.env'], '/p/*')).toBe(false)
    expect(await fits(['src/a.ts'], '/p/src/[ab].ts')).toBe(true)
  })

  test('what is not there is meant only by its name', async () => {
    const known = { ...places, entries: () => Promise.resolve(['a.ts']) }
    expect(await pathGlobs(['missing']).fits('/p/missing', known)).toBe(true)
    expect(await pathGlobs(['missing']).fits('/p/*', known)).toBe(false)
  })
})
