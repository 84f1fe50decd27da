import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RecentLines } from './recent-lines.ts'

const sources = ['git push', 'git pull', 'gi', 'ls', 'ähm', 'npm test', '']
const most = 8

const filled = (lines: readonly number[]): RecentLines => {
  const recent = new RecentLines(2, most)
  for (const line of lines) recent.add(1, line, sources[line] ?? '')
  return recent
}

describe('the lines a project ran last', () => {
  it('are found by how they begin: none is missed, each once, newest first', () => {
    const lines = fc.array(fc.nat(sources.length - 1), { maxLength: 3 * most })
    fc.assert(
      fc.property(lines, fc.constantFrom('', 'g', 'git', 'git ', 'git pu', 'ä', 'x'), (ran, prefix) => {
        const found = [...filled(ran).starting(1, prefix)]
        const newest = [...new Set(ran.slice(-most).toReversed())]
        expect(found).toEqual(newest.filter((line) => sources[line]?.startsWith(prefix.slice(0, 4))))
      }),
    )
  })

  it('are counted', () => {
    const recent = filled([0, 1, 0, 3])
    expect([0, 1, 2].map((line) => recent.count(1, line))).toEqual([2, 1, 0])
    expect(recent.count(2, 0)).toBe(0)
  })

  it('are forgotten with the project that was used longest ago', () => {
    const recent = filled([0])
    recent.add(2, 1, 'git pull')
    recent.add(3, 1, 'git pull')
    expect([1, 2, 3].map((project) => recent.count(project, 1) + recent.count(project, 0))).toEqual([0, 1, 1])
  })

  it('are the same after they were saved', () => {
    const recent = filled([0, 1, 0, 3])
    const copy = new RecentLines(2, most)
    copy.load(recent.save(), (line) => sources[line] ?? '')
    expect([...copy.starting(1, 'git')]).toEqual([...recent.starting(1, 'git')])
  })
})
