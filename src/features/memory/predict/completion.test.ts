import { describe, expect, it } from 'vitest'
import { readLine } from '../../../base/shell/line.ts'
import type { Choice } from './candidates.ts'
import { Completions } from './completion.ts'
import { Lexicon } from './lexicon.ts'

const lexicon = new Lexicon()
const { text: pushed } = lexicon.add('git push origin main', readLine('git push origin main'), false)

const choice = (source: string, number: number, likely: number): Choice => ({
  candidate: {
    source,
    line: readLine(source),
    number,
    template: 1,
    stub: 1,
    likely,
    rank: 0,
    runs: 0,
    failures: 0,
    idle: 0,
  },
  likely,
})

const shown = (choices: readonly Choice[], isPlausible = true): string[] => {
  const found = new Completions('git pu', lexicon)
  found.addLikely(choices, () => isPlausible)
  return found.best(5).map(({ source }) => source)
}

describe('completions', () => {
  it('are the lines that go on after what is typed', () => {
    expect(shown([choice('git pull', 3, 0.2), choice('git pu', 4, 0.3), choice('ls', 5, 0.5)])).toEqual(['git pull'])
  })

  it('were run before, or are plausible and not too unlikely', () => {
    const known = choice('git pull', 3, 0.001)
    expect(shown([known, choice('git push a', 0, 0.4)])).toEqual(['git push a', 'git pull'])
    expect(shown([known, choice('git push a', 0, 0.4)], false)).toEqual(['git pull'])
    expect(shown([choice('git push b', 3, 0.9), choice('git push a', 0, 0.02)])).toEqual(['git push b'])
  })

  it('are the likelier the more lately they ran, here more than elsewhere', () => {
    const worth = (own: boolean): number => {
      const found = new Completions('git pu', lexicon)
      found.addRecent([pushed], own)
      return found.best(1)[0]?.score ?? 0
    }
    expect(worth(true)).toBeGreaterThan(worth(false))
    expect(worth(false)).toBeGreaterThan(0)
  })
})
