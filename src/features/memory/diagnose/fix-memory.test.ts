import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { LineCache } from '../../../base/shell/line-cache.ts'
import type { Fix } from './fix.ts'
import { FixMemory, type FixSnapshot } from './fix-memory.ts'
import { signatureOf } from './signature.ts'

const lines = new LineCache()
let memory: FixMemory

beforeEach(() => {
  memory = new FixMemory(lines)
})

const run = (command: string, exit: number | null = 0, output = '', session = 's', edited = false): void =>
  memory.observe({ session, command, exit, output, edited })

const fixes = (command: string, output = '', exit = 1): readonly Fix[] => {
  const line = lines.read(command)
  return memory.fixesFor(signatureOf({ command, exit, output }, line), line)
}

const lintError = 'main.go:1:2: file is not gofmted'

describe('what is learnt', () => {
  test('what was run between a failure and the success of the same command', () => {
    run('make lint', 1, lintError)
    run('make fmt')
    run('make lint')
    expect(fixes('make lint', lintError)).toMatchObject([
      { kind: 'before', command: 'make fmt', worked: 1, tried: 1, why: 'worked 1 of 1 time here after this error' },
    ])
  })

  test('the variant that succeeded', () => {
    run('go test ./...', 1, 'panic: x')
    run('go test -race ./...')
    expect(fixes('go test ./...', 'panic: x')[0]).toMatchObject({ kind: 'instead', command: 'go test -race ./...' })
  })

  test('the same command within another one, but not what only asks about it', () => {
    const missing = 'bash: line 1: pytest: command not found'
    run('pytest tests/a.py', 127, missing)
    run('which pytest')
    run('uv run pytest tests/a.py')
    expect(fixes('pytest tests/b.py', missing, 127)).toMatchObject([
      { kind: 'instead', command: 'uv run pytest tests/b.py' },
    ])
  })

  test('the variant takes the words of the command that failed now', () => {
    run('go test ./a', 1, 'build constraints exclude all Go files')
    run('go test -tags=integration ./a')
    expect(fixes('go test ./b/c', 'build constraints exclude all Go files')[0]?.command).toBe(
      'go test -tags=integration ./b/c',
    )
  })

  test('that files were changed, or nothing', () => {
    run('make test', 1, 'boom')
    run('make test', 0, '', 's', true)
    expect(fixes('make test', 'boom')[0]).toMatchObject({ kind: 'edit', command: 'make test' })
    run('curl x', 7, 'refused')
    run('curl x')
    expect(fixes('curl x', 'refused', 7)[0]).toMatchObject({ kind: 'again', command: 'curl x' })
  })

  test('that a file was written by a command', () => {
    run('make test', 1, 'boom')
    run("sed -i 's/a/b/' src/x.ts")
    run('make test')
    expect(fixes('make test', 'boom').map(({ kind }) => kind)).toEqual(['edit'])
  })

  test('looking around is no fix', () => {
    run('make lint', 1, lintError)
    for (const look of ['ls', 'git status', 'cat a', 'rg x']) run(look)
    run('make lint')
    expect(fixes('make lint', lintError).map(({ kind }) => kind)).toEqual(['again'])
  })

  test('what did not help counts against it', () => {
    for (const exit of [1, 0, 0]) {
      run('make lint', 1, lintError)
      run('make fmt')
      run('make lint', exit, exit === 0 ? '' : lintError)
      run('make lint')
    }
    expect(fixes('make lint', lintError).find(({ command }) => command === 'make fmt')).toMatchObject({
      worked: 2,
      tried: 3,
    })
  })

  test('what destroys is never offered, though it worked', () => {
    run('git pull', 1, 'error: conflict')
    run('git reset --hard origin/main')
    run('git pull')
    run('make lint', 1, lintError)
    run('make lint --force')
    expect([...fixes('git pull', 'error: conflict'), ...fixes('make lint', lintError)]).toEqual([])
  })

  test('that a search finds nothing is no failure to be fixed', () => {
    run('grep -n x src/a.ts', 1)
    run('grep -n y src/b.ts')
    expect(fixes('grep -n x src/a.ts')).toEqual([])
  })

  test('what never helped is not offered', () => {
    run('make lint', 1, lintError)
    run('make fmt')
    run('make lint', 1, lintError)
    expect(fixes('make lint', lintError)).toEqual([])
  })

  test('success after more than ten commands has other reasons', () => {
    run('make lint', 1, lintError)
    run('make fmt')
    for (let index = 0; index < 9; index++) run(`touch file${index}`)
    run('make lint')
    expect(fixes('make lint', lintError)).toEqual([])
  })

  test('one conversation does not explain the failure of another', () => {
    run('make lint', 1, lintError, 'one')
    run('make fmt', 0, '', 'two')
    run('make lint', 0, '', 'two')
    expect(fixes('make lint', lintError)).toEqual([])
  })

  test('a command that ended nobody knows how teaches nothing', () => {
    run('make lint', 1, lintError)
    run('make fmt', null)
    run('make lint')
    expect(fixes('make lint', lintError).map(({ kind }) => kind)).toEqual(['again'])
  })
})

describe('what is offered', () => {
  test('for another error of the same command: what helped the command, and it is said', () => {
    run('make lint', 1, lintError)
    run('make fmt')
    run('make lint')
    expect(fixes('make lint', 'something else')[0]).toMatchObject({
      command: 'make fmt',
      why: 'worked 1 of 1 time here after this command failed',
    })
  })

  test('nothing that only helped another command of the same program', () => {
    run('make lint', 1, lintError)
    run('make fmt')
    run('make lint')
    expect(fixes('make --jobs lint', 'something else')).toEqual([])
  })

  test('the fix for this error before the one for others', () => {
    for (let index = 0; index < 5; index++) {
      run('make check', 1, 'error: generated files are old')
      run('make generate')
      run('make check')
    }
    for (let index = 0; index < 2; index++) {
      run('make check', 1, lintError)
      run('make fmt')
      run('make check')
    }
    expect(fixes('make check', lintError)[0]?.command).toBe('make fmt')
  })

  test('what helped lately before what helped long ago', () => {
    const fixedBy = (fix: string): void => {
      run('make lint', 1, lintError)
      run(fix)
      run('make lint')
    }
    fixedBy('make old')
    fixedBy('make old')
    for (let index = 0; index < 9_000; index++) run('touch a')
    fixedBy('make new')
    expect(fixes('make lint', lintError)[0]?.command).toBe('make new')
  })

  test('the likelier the more often it helped', () => {
    const scores: number[] = []
    for (let index = 0; index < 4; index++) {
      run('make lint', 1, lintError)
      run('make fmt')
      run('make lint')
      scores.push(fixes('make lint', lintError)[0]?.score ?? 0)
    }
    expect(scores).toEqual(scores.toSorted((a, b) => a - b))
    expect(scores.at(-1)).toBeLessThan(1)
  })

  test('no control characters, no second line', () => {
    run('make lint', 1, lintError)
    run('make \u001b[31mfmt\u0007 --all')
    run('make lint')
    expect(fixes('make lint', lintError)[0]?.command).toBe('make fmt --all')
  })
})

describe('the memory', () => {
  test('goes on from a snapshot that was stored as JSON', () => {
    run('make lint', 1, lintError)
    run('make fmt')
    run('make lint')
    const before = fixes('make lint', lintError)
    const stored = JSON.stringify(memory.snapshot())
    memory = new FixMemory(lines)
    memory.load(JSON.parse(stored))
    expect(fixes('make lint', lintError)).toEqual(before)
  })

  test('refuses what another version wrote', () => {
    const later = { ...memory.snapshot(), version: 2 } as unknown as FixSnapshot
    expect(() => memory.load(later)).toThrow('version 2')
  })

  test('takes any history, and scores stay between 0 and 1', () => {
    const command = fc.oneof(
      fc.constantFrom('make a', 'make b', 'go test ./x', 'ls', 'git push'),
      fc.string({ unit: 'binary', maxLength: 20 }),
    )
    const event = fc.record({
      session: fc.constantFrom('one', 'two'),
      command,
      exit: fc.constantFrom(0, 0, 1, 2, null),
      output: fc.string({ unit: 'binary', maxLength: 30 }),
      edited: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (history) => {
        memory = new FixMemory(lines)
        for (const each of history) {
          memory.observe(each)
          for (const { score, worked, tried } of fixes(each.command, each.output)) {
            expect(score).toBeGreaterThan(0)
            expect(score).toBeLessThanOrEqual(1)
            expect(worked).toBeLessThanOrEqual(tried)
          }
        }
      }),
    )
  })
})
