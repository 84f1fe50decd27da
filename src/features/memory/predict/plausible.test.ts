import { describe, expect, it } from 'vitest'
import { readLine } from '../../../base/shell/line.ts'
import { isPlausible } from './completion.ts'
import { Trail } from './trail.ts'

const plausible = (text: string, known: readonly string[], paths: readonly string[] = []): boolean => {
  const trail = new Trail('s')
  for (const path of paths) trail.mention(path, 'path')
  trail.mention('lodash', 'word')
  return isPlausible(readLine(text), known.map(readLine), trail)
}

describe('a line that was never run', () => {
  it('is plausible with words that stood in the same places', () => {
    const known = ['git push origin main', 'git push backup next']
    expect(plausible('git push origin next', known)).toBe(true)
    expect(plausible('git push main origin', known)).toBe(false)
    expect(plausible('git push origin lodash', known)).toBe(false)
  })

  it('is plausible with a path of this session in the place of a path', () => {
    expect(plausible('python src/new.py', ['python src/a.py'], ['src/new.py'])).toBe(true)
    expect(plausible('python src/new.py', ['python src/a.py'])).toBe(false)
  })

  it('has a word twice only if a line of its shape had', () => {
    expect(plausible('cp a.ts a.ts', ['cp a.ts b.ts'], ['a.ts'])).toBe(false)
    expect(plausible('git push x x', ['git push x y', 'git push y x'])).toBe(false)
    expect(plausible('git push x x', ['git push x y', 'git push x x'])).toBe(true)
  })
})
