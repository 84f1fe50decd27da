import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catalogue } from './catalogue/catalogue.ts'
import { explain } from './explain.ts'

const python = (module: string): string =>
  `Traceback (most recent call last):\nModuleNotFoundError: No module named '${module}'`

describe('explain', () => {
  test('fills in what the output names', () => {
    expect(explain({ command: 'python app.py', exit: 1, output: python('requests') })).toMatchObject({
      name: 'python-module-missing',
      family: 'python',
      run: ['python -m pip show requests', 'python -m pip install requests'],
    })
  })

  test('sees the failing program behind others', () => {
    const command = 'cd app && timeout 60 npm ci && npm run dev 2>&1 | tail -20'
    const output = 'Error: listen EADDRINUSE: address already in use :::3000'
    expect(explain({ command, exit: 1, output })?.run[0]).toBe('lsof -i :3000')
  })

  test('prefers the cause to what a wrapper says of it', () => {
    const output = 'pytest: command not found\nmake: *** [Makefile:4: test] Error 127'
    expect(explain({ command: 'make test', exit: 2, output })?.name).toBe('command-not-found')
  })

  test('knows nothing of what nobody has seen', () => {
    expect(explain({ command: 'frobnicate', exit: 1, output: 'the moon is in the wrong phase' })).toBeUndefined()
  })

  test.each(['a; rm -rf ~', '$(id)', '`id`', '-rf', 'a b', "a'b", 'a|b', 'a\nb', 'x'.repeat(500)])(
    'what an output names goes into a command only as a plain word: %j',
    (word) => {
      const output = `error: the branch\nfatal: The current branch ${word} has no upstream branch.`
      const run = explain({ command: 'git push', exit: 128, output })?.run ?? []
      expect(run.filter((command) => command.includes(word))).toEqual([])
    },
  )

  test('never throws, and all that is shown is one bounded line without control characters', () => {
    const parts = Object.values(catalogue).flatMap((family) => family.map(({ sample }) => sample.output))
    const text = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.constantFrom(...parts)), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.option(fc.nat(255)),
        text,
        (command, exit, pieces) => {
          const found = explain({ command, exit, output: pieces.join('\n') })
          for (const shown of [found?.means ?? '', ...(found?.run ?? [])]) {
            expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
            expect(shown.length).toBeLessThan(700)
          }
        },
      ),
    )
  })

  test.each([
    'a',
    ' ',
    '\n',
    'a/b.c/',
    "'",
    ': ',
    '1',
    'E   x\n',
    '=',
    'File "a", line 1\n',
    'error: x\n',
    '\u001b]',
    '12%\r',
  ])('a megabyte of %j is looked through', (unit) => {
    const output = unit.repeat(1_000_000 / unit.length)
    expect(() => explain({ command: 'make', exit: 1, output })).not.toThrow()
  })
})
