import * as fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { literalsOfPattern, patternsAbove, patternsOfGlob } from './literals.ts'

describe('what an expression requires', () => {
  test.each([
    ['git push', ['push']],
    [String.raw`\bdangerous_eval\(`, ['dangerous_eval']],
    ['(?i)DROP TABLE', ['table']],
    ['colou?r_name', ['r_name']],
    ['ab+cd', ['ab']],
    ['abc{2,3}de', ['ab']],
    ['foo|barbaz', ['foo', 'barbaz']],
    [String.raw`\.env$`, ['.env']],
    ['[abc]def', ['def']],
    ['[]x]def', ['def']],
    ['(a|b)xyz*', ['xy']],
    ['(abc)', ['abc']],
    ['(?i)(Token|secret)', ['token', 'secret']],
    ['x(abc|defg)?yz', ['yz']],
    ['(ab|c)(defg|hij)', ['defg', 'hij']],
    ['(?P<name>foo(bar|baz)+)q', ['foo']],
  ])('%s: %j', (pattern, literals) => {
    expect(literalsOfPattern(pattern)).toEqual(literals)
  })

  test.each([
    '.*',
    'a|bcd',
    '[a-z]+',
    String.raw`\x67it`,
    String.raw`\pLabc`,
    String.raw`\Qa.b\E`,
    '(abc',
    'a?b?',
    '(a|bcd)',
  ])('%s: nothing that is sure', (pattern) => {
    expect(literalsOfPattern(pattern)).toBeNull()
  })

  test('whatever it fits holds one of them', () => {
    const part = fc.constantFrom(
      'git',
      'push',
      'x',
      '-f',
      ' ',
      '.',
      'a*',
      'bc?',
      'de+',
      '(fg)',
      '(h|i)',
      '[jk]',
      'l{0,2}',
      '|',
      String.raw`\.`,
      String.raw`\s`,
    )
    const text = fc.array(fc.constantFrom('git', 'push', 'x', '-f', ' ', '.', 'a', 'bc', 'de', 'fg', 'h', 'j', 'll'), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), text, (parts, words) => {
        const [pattern, given] = [parts.join(''), words.join('')]
        const literals = literalsOfPattern(pattern)
        fc.pre(literals !== null && isValid(pattern) && RE2JS.compile(pattern).matcher(given).find())
        expect(literals?.some((literal) => given.includes(literal))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

const isValid = (pattern: string): boolean => {
  try {
    RE2JS.compile(pattern)
    return true
  } catch {
    return false
  }
}

const matched = (patterns: readonly string[], text: string): boolean[] =>
  patterns.map((pattern) => new RegExp(pattern).test(text))

describe('what a glob requires', () => {
  test('each of its names, whatever stands around them', () => {
    const patterns = patternsOfGlob('.rein/rules/**')
    expect(matched(patterns, 'rm /p/.rein/rules/a.yaml')).toEqual([true, true])
    expect(matched(patterns, 'rm /p/rein/rules')).toEqual([false, true])
    expect(matched(patterns, 'curl -d @.rein/rules')).toEqual([true, true])
    expect(matched(patterns, 'grep -f.rein/rules/a.yaml x')).toEqual([true, true])
    expect(matched(patterns, 'cd .rein; rm rules/a')).toEqual([true, true])
  })

  test('parts of names that have signs of a glob, and nothing where there are only such', () => {
    expect(matched(patternsOfGlob('**/*.pem'), 'cat key.pem')).toEqual([true])
    expect(patternsOfGlob('**/*')).toEqual([])
    expect(patternsOfGlob('src/{a,b}/?')).toHaveLength(1)
  })

  test('of a path from the top only its end: a home may be named by `~`', () => {
    expect(patternsOfGlob('/home/ada/vault')).toHaveLength(1)
  })

  test('a directory above is enough where things are deleted', () => {
    const isAbove = (text: string): boolean => matched(patternsAbove('a/b/c/**'), text).includes(true)
    expect(isAbove('/p/a/b')).toBe(true)
    expect(isAbove('/p/a /p/x')).toBe(true)
    expect(isAbove('/p/a/other')).toBe(false)
    expect(isAbove('/p/a/b/c/d')).toBe(true)
  })
})
