import { expect, test } from 'vitest'
import { plainPaths, steeringPaths } from '../../../../test/support/steering-paths.ts'
import { reviewItem, reviewOf } from './review.ts'

const file = (path: string, mode = '100644', isProgram = false) => ({ path, mode, isProgram })
const classOf = (path: string, mode?: string, isProgram?: boolean): string | undefined =>
  reviewItem(file(path, mode, isProgram))?.class

test('everything that can run or steer is asked about, under its class', () => {
  expect(steeringPaths.length).toBeGreaterThan(300)
  expect(steeringPaths.filter(([path, name]) => classOf(path) !== name).map(([path]) => [path, classOf(path)])).toEqual(
    [],
  )
})

test('at any depth, and however it is spelt', () => {
  const missed = steeringPaths.flatMap(([path]) =>
    [
      `a/b/${path}`,
      path.toUpperCase(),
      path.toLowerCase(),
      `${path}. .`,
      `\u200b${path}`,
      path.replaceAll('k', '\u212a'),
    ].filter((one) => classOf(one) === undefined),
  )
  expect(missed).toEqual([])
})

test('a plain file is not', () => {
  expect(plainPaths.filter((path) => classOf(path) !== undefined).map((path) => [path, classOf(path)])).toEqual([])
})

test('programs and links are, also one that stands for a directory of settings', () => {
  expect([classOf('run', '100755'), classOf('run', '100644', true)]).toEqual(['program', 'program'])
  expect([classOf('link', '120000'), classOf('src/.keep', '120000')]).toEqual(['link', 'link'])
  expect([classOf('.claude', '120000'), classOf('.rein', '120000'), classOf('Makefile', '120000')]).toEqual([
    'agent',
    'rein',
    'build',
  ])
  expect(classOf('.rein/x', '100755')).toBe('rein')
})

test('the most dangerous first', () => {
  const files = ['link', 'z.sh', 'package.json', 'CLAUDE.md', '.rein/team.toml', '.envrc', 'AGENTS.md', 'src/a.ts']
  expect(
    reviewOf(files.map((path) => file(path, path === 'link' ? '120000' : '100644'))).map(({ path }) => path),
  ).toEqual(['.rein/team.toml', 'AGENTS.md', 'CLAUDE.md', '.envrc', 'package.json', 'z.sh', 'link'])
})
