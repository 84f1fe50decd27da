import fc from 'fast-check'
import { expect, test } from 'vitest'
import { edit, rulesOf, shell, worldOf, write } from '../../../test/support/rules-world.ts'
import { evaluate } from './evaluate.ts'
import { noMemory } from './memory.ts'
import { interpolate, toldOf } from './message.ts'

test('captures are filled in, and what nobody captured stays', () => {
  expect(interpolate('{{ $1 }} {{$name}} {{ $none }}', { 1: 'a', name: 'b' })).toBe('a b {{ $none }}')
})

test('captured text is never taken for a template', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, two) => {
      const captures = { a: `${one}{{ $b }}`, b: two }
      expect(interpolate('{{ $a }}', captures)).toBe(captures.a)
    }),
  )
})

test('the words of objects are no captures', () => {
  expect(interpolate('{{ $constructor }} {{ $__proto__ }}', {})).toBe('{{ $constructor }} {{ $__proto__ }}')
})

const toldBy = async (rules: string, subject: Parameters<typeof evaluate>[1][number]): Promise<string[]> => {
  const findings = await evaluate(await rulesOf(rules), [subject], worldOf(), noMemory)
  return findings.map(toldOf)
}

test('the model is told who says so, what, where, and what to do', async () => {
  const rules = `
  - name: no-any
    on: write
    when: { regex: { pattern: '(?P<variable>\\w+): any', suggestion: '{{ $variable }}: unknown' } }
    message: 'No any: write {{ $suggestion }}.'
`
  expect(await toldBy(rules, write('src/a.ts', 'let a = 1\nlet b: any = 2\n'))).toEqual([
    'The rule no-any forbids this: No any: write b: unknown.\nsrc/a.ts:2 | let b: any = 2\nDo it as said here, then try again.',
  ])
})

test('in doubt one text is told for all rules, without what they say of calls that fit', async () => {
  const guard = (name: string): string =>
    `  - { name: ${name}, on: shell, guard: true, when: { shell: { program: ${name} } }, message: '{{ $words }} is bad.' }\n`
  const readShell = () => ({ runs: [], opaque: [{ kind: 'unparsable' as const, text: "$a 'x" }] })
  const asks = '  - { name: z, on: shell, when: { shell: { program: z } } }\n'
  const set = await rulesOf([...['a', 'b', 'c', 'd', 'e', 'f'].map(guard), asks].join(''))
  const told = (await evaluate(set, [shell("$a 'x")], worldOf({ readShell }), noMemory)).map(toldOf)
  const unread =
    "this line cannot be read (unparsable), so nobody can tell what it runs: $a 'x.\nWrite it plainly: shorter, in several calls, or as a script in a file that is then run."
  expect([...new Set(told)]).toEqual([
    `This was not run: ${unread}\nWhat may forbid it: a, b, c, d, e and 1 more.`,
    `A person is to decide about this: ${unread}\nWhat may forbid it: z.`,
  ])
})

test('bytes that a terminal obeys do not come through', async () => {
  const rules = "  - { name: a, on: edit, when: { regex: 'x(.*)' }, message: 'not {{ $1 }}' }\n"
  const [told = ''] = await toldBy(rules, edit('a', 'b', 'x\u001b[31m\u202e'))
  expect(told).not.toMatch(/[\u001b\u202e]/u)
})

test('a rule without a message says what it is about', async () => {
  const [told] = await toldBy(
    '  - { name: a, on: shell, description: No deploys., when: { regex: deploy } }\n',
    shell('deploy'),
  )
  expect(told).toContain('The rule a forbids this: No deploys.')
})

test('a message has an end, whatever was captured', async () => {
  const rules = "  - { name: a, on: shell, when: { regex: '(?s)(.*)' }, message: '{{ $1 }}{{ $1 }} end' }\n"
  const [told = ''] = await toldBy(rules, shell('x'.repeat(100_000)))
  expect(told.length).toBeLessThan(2000)
  expect(told).toContain('end')
})
