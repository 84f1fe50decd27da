import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLine } from '../../../base/shell/line.ts'
import { essentialLine, signatureOf } from './signature.ts'

const sign = (command: string, exit: number | null, output: string): string =>
  signatureOf({ command, exit, output }, readLine(command)).key

describe('the essential line', () => {
  test.each([
    [
      'a Python traceback: its end',
      'Traceback (most recent call last):\n  File "a.py", line 1\n    import x\nModuleNotFoundError: No module named \'x\'',
      "ModuleNotFoundError: No module named 'x'",
    ],
    [
      'pytest: the first line with E',
      '>   assert f() == 2\nE   assert 1 == 2\nE    +  where 1 = f()\nFAILED tests/test_a.py::test_a - assert 1 == 2',
      'E   assert 1 == 2',
    ],
    [
      'Go: the first error with a place',
      '# acme.io/cli\n./main.go:4:2: undefined: x\n./main.go:9:2: undefined: y\nFAIL\tacme.io/cli [build failed]',
      './main.go:4:2: undefined: x',
    ],
    [
      'a Go test',
      'ok  \tacme.io/a\t0.1s\n--- FAIL: TestList (0.03s)\n    list_test.go:3: got 1\nFAIL',
      '--- FAIL: TestList (0.03s)',
    ],
    [
      'TypeScript',
      "src/a.ts(1,2): error TS2322: Type 'a' is not assignable.\nFound 1 error.",
      "src/a.ts(1,2): error TS2322: Type 'a' is not assignable.",
    ],
    [
      'Rust: not that it could not compile',
      'error[E0308]: mismatched types\n --> src/main.rs:1:25\nerror: could not compile `x`',
      'error[E0308]: mismatched types',
    ],
    [
      'C under make: not what make says',
      'a.c: In function ‘main’:\na.c:1:12: error: ‘x’ undeclared\nmake: *** [Makefile:4: all] Error 1',
      'a.c:1:12: error: ‘x’ undeclared',
    ],
    [
      'git',
      'hint: something\nfatal: not a git repository (or any of the parent directories): .git',
      'fatal: not a git repository (or any of the parent directories): .git',
    ],
    [
      'npm: the code',
      'npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error A complete log of this run can be found in: /x',
      'npm error code ERESOLVE',
    ],
    ['a shell', 'building …\nbash: line 1: pytest: command not found', 'bash: line 1: pytest: command not found'],
    [
      'docker',
      'Using default tag: latest\nError response from daemon: pull access denied for x',
      'Error response from daemon: pull access denied for x',
    ],
    [
      'maven',
      '[INFO] Scanning\n[ERROR] no POM in this directory\n[ERROR] To see the full stack trace',
      '[ERROR] no POM in this directory',
    ],
    ['anything that sounds like an error', 'step 1\ncould not reach the hub\nbye', 'could not reach the hub'],
    ['the last line of what sounds like nothing', 'step 1\nstep 2', 'step 2'],
    ['nothing', '\n \n', ''],
  ])('%s', (_name, output, line) => {
    expect(essentialLine(output)).toBe(line)
  })
})

describe('the signature', () => {
  test.each([
    ['paths and places', '/home/a/x.py:10: error: bad', '/srv/b/y.py:222: error: bad'],
    ['numbers and times', 'error: 3 tests failed in 1.2s at 12:30:01', 'error: 14 tests failed in 31.25s at 09:01:59'],
    ['dates', 'error on 2026-11-16T12:00:00Z', 'error on 2025-01-02T03:04:05.678Z'],
    [
      'hashes and addresses',
      'error: could not apply 3e92137... at 0x7ffe12',
      'error: could not apply e060bf2... at 0x14e0ed',
    ],
    ['quoted texts', "error: invalid value 'one two' given", "error: invalid value 'three four five' given"],
    ['URLs', 'fatal: unable to access https://a.example/x', 'fatal: unable to access https://b.example/y?z=1'],
    ['colours', '\u001b[31merror: bad\u001b[0m', 'error: bad'],
  ])('is the same for other %s', (_name, one, other) => {
    expect(sign('make x', 2, one)).toBe(sign('make x', 2, other))
  })

  test.each([
    ['names that are missing', "ModuleNotFoundError: No module named 'a'", "ModuleNotFoundError: No module named 'b'"],
    ['kinds of error', 'src/a.ts(1,2): error TS2322: no', 'src/a.ts(1,2): error TS2345: no'],
  ])('is another one for other %s', (_name, one, other) => {
    expect(sign('make x', 2, one)).not.toBe(sign('make x', 2, other))
  })

  test('knows program, subcommand and exit code', () => {
    expect(sign('cd a && go test ./... | tail -5', 1, 'panic: x')).toBe('go test | 1 | panic: x')
    expect(sign('go vet', null, '')).toBe('go vet | ? | ')
  })

  test('an apostrophe is no quote', () => {
    expect(sign('x', 1, "error: can't open 'a'")).toBe("x | 1 | error: can't open a")
  })

  test('any command and output gives a bounded one, twice the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', maxLength: 2000 }), (command, output) => {
        const key = sign(command, 1, output)
        expect(key.length).toBeLessThan(260)
        expect(key).toBe(sign(command, 1, output))
        expect(key).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
      }),
    )
  })
})
