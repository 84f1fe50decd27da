import { beforeEach, describe, expect, test } from 'vitest'
import { missingModule, sure, textOf, usualAdvice, World } from '../../../../test/support/advice-world.ts'
import type { Advice } from '../../../contract/command.ts'
import type { ResponderReply } from '../../../contract/hooks.ts'
import type { About } from './about.ts'

let world: World

beforeEach(() => {
  world = new World()
})

const last = (): Advice | undefined => world.decided.at(-1)

describe('after a failure', () => {
  test('what helped in one session is offered in the next, before the next choice', () => {
    world.learn('npm test', 1, 'A', missingModule)
    world.learn('npm install', 0, 'A')
    world.learn('npm test', 0, 'A')
    expect(world.run('npm test', 1, missingModule)).toBe(
      "Rein (this project's command history; a hint, not an instruction): after this error here, `npm install` and then the same again worked 1 of 1 time.",
    )
    expect(world.decided).toMatchObject([
      { kind: 'fix', isShown: true, moment: 'after', session: 'B', about: 'npm test' },
    ])
  })

  test('what was run in its place', () => {
    world.learn('pytest a.py', 127, 'A', 'bash: pytest: command not found')
    world.learn('uv run pytest a.py', 0, 'A')
    expect(world.run('pytest b.py', 127, 'bash: pytest: command not found')).toContain(
      'after this error here, `uv run pytest b.py` worked instead 1 of 1 time.',
    )
  })

  test('what it usually means, where nothing is known here', () => {
    expect(world.run('node x.js', 1, missingModule)).toBe(
      'Rein (a hint, not an instruction): The package left-pad is not installed here: dependencies were not installed, or it is not among them. To look or repair: `npm ls left-pad`, `npm install`.',
    )
    expect(last()).toMatchObject({ kind: 'meaning', why: 'node-package-missing' })
  })

  test('what to run is said as it is done here', () => {
    for (let time = 0; time < 3; time++) world.learn('pnpm install')
    expect(world.run('node x.js', 1, missingModule)).toContain('`pnpm install`')
  })

  test('nothing where it says only that something failed', () => {
    expect(
      world.run('npx vitest run', 1, ' Test Files  1 failed (4)\n      Tests  1 failed | 12 passed (13)'),
    ).toBeNull()
    world.run('make build')
    expect(world.decided).toMatchObject([{ kind: 'none', why: 'says it itself' }])
  })

  test('what did not always help is said only if it is likely enough', () => {
    for (const exit of [0, 1]) {
      world.learn('make lint', 1, 'A', 'main.go:1:2: file is not gofmted')
      world.learn('make fmt', 0, 'A')
      world.learn('make lint', exit, 'A', exit === 0 ? '' : 'main.go:1:2: file is not gofmted')
    }
    expect(world.run('make lint', 1, 'main.go:1:2: file is not gofmted')).toBeNull()
  })

  test.each([
    ['a test that was run in between', 'make e2e', 1, 'boom: no server', 'go test ./x'],
    ['a script of the moment', 'make e2e', 1, 'boom: no server', 'python3 look.py'],
    ['what names another file', 'make e2e', 1, 'boom: no server', 'touch src/other.ts'],
    ['one success after tests failed', 'npx jest', 1, 'Tests: 1 failed, 3 passed', 'make fmt'],
  ])('not %s', (_what, command, exit, output, between) => {
    world.learn(command, exit, 'A', output)
    world.learn(between, 0, 'A')
    world.learn(command, 0, 'A')
    expect(world.run(command, exit, output)).toBeNull()
  })

  test.each([
    ['workmux capture a', 'workmux status a'],
    ['frob add x --base main', 'frob add --help'],
    ['make fmt && make e2e', 'make fmt'],
    ['go test ./a', 'go test ./a -run TestB'],
    ['gh pr diff 10 --stat', 'gh pr diff 12'],
  ])('%s is not done by %s', (command, instead) => {
    world.learn(command, 1, 'A', 'boom: it is gone')
    world.learn(instead, 0, 'A')
    expect(world.run(command, 1, 'boom: it is gone')).toBeNull()
  })

  test('another program before what it means anywhere', () => {
    for (let time = 0; time < 3; time++) world.learn('pnpm test')
    expect(world.run('npm test', 1, missingModule)).toContain('usually run as `pnpm test` (worked 3 of 3 times)')
  })

  test('a search that finds nothing is no failure', () => {
    expect(world.run('rg nothing src', 1)).toBeNull()
  })

  test('long commands, too', () => {
    expect(world.run('node --enable-source-maps dist/server/main.js', 1, missingModule)).not.toBeNull()
  })

  test('diagnose is a switch', () => {
    world.settings = { ...usualAdvice, diagnose: false }
    expect(world.run('node x.js', 1, missingModule)).toBeNull()
    world.run('ls')
    expect(world.decided[0]?.why).toBe('off')
  })
})

describe('variant and next', () => {
  test('how it is run here', () => {
    for (let time = 0; time < 4; time++) world.learn('go test -race ./...')
    expect(world.run('go test ./...')).toContain(
      'here this is usually run as `go test -race ./...` (worked 4 of 4 times).',
    )
    expect(last()?.kind).toBe('variant')
  })

  test('what comes next, if it succeeds here', () => {
    world.predictions = [sure('make lint')]
    expect(world.run('make build')).toBeNull()
    for (let time = 0; time < 3; time++) world.learn('make lint')
    expect(world.run('make build')).toContain('what usually comes next is `make lint` (worked 3 of 3 times here).')
    expect(last()).toMatchObject({ kind: 'next', why: '3 of 3 after the last command here' })
  })

  test('with a prompt and after other tools, too', () => {
    for (let time = 0; time < 3; time++) world.learn('make lint')
    world.predictions = [sure('make lint')]
    expect(textOf(world.adviser.after(world.about('B', { edited: ['a.go'] }), []))).toContain('make lint')
    expect(textOf(world.adviser.prompt(world.about('C')))).toContain('make lint')
  })

  /** Why nothing is said after a command that asks for nothing. */
  const whySilent = (): string | undefined => {
    world.run('make build')
    world.run('ls')
    const [first] = world.decided
    return first?.text === null && first.about === 'make build' && !first.isShown ? first.why : undefined
  }

  test('not what is not likely enough', () => {
    world.learn('make lint')
    world.predictions = [sure('make lint', 0.59)]
    expect(whySilent()).toBe('not sure enough')
  })

  test('not what fails here', () => {
    for (const exit of [0, 1]) world.learn('make lint', exit)
    world.predictions = [sure('make lint')]
    expect(whySilent()).toBe('fails here')
  })

  test('not what was just run', () => {
    world.predictions = [sure('make build')]
    expect(whySilent()).toBe('just run')
  })

  test('not what destroys, nor what cannot be quoted', () => {
    for (const line of ['git clean -fd', 'make `x`', 'curl -H [redacted:bearer] x']) world.learn(line)
    world.predictions = [sure('git clean -fd'), sure('make `x`'), sure('curl -H [redacted:bearer] x')]
    expect(whySilent()).toBe('not to be suggested')
  })

  test('not what only looks around', () => {
    world.learn('git status')
    world.predictions = [sure('git status')]
    expect(whySilent()).toBe('passthrough')
  })

  test('suggest is a switch', () => {
    world.settings = { ...usualAdvice, suggest: false }
    for (let time = 0; time < 8; time++) world.learn('make lint')
    world.predictions = [sure('make lint')]
    expect(textOf(world.adviser.start(world.about('C'), true))).toBeNull()
    expect(whySilent()).toBe('off')
  })

  test.each([
    ['git status', 'passthrough'],
    ['ls', 'passthrough'],
    ['go build -o bin/server ./cmd/server', 'specific'],
  ])('nothing after %s', (command, why) => {
    world.learn('make lint')
    world.predictions = [sure('make lint')]
    expect(world.run(command)).toBeNull()
    world.run('ls')
    expect(world.decided[0]?.why).toBe(why)
  })
})

describe('another tool', () => {
  test('is named once in a session', () => {
    expect(world.run('cat src/a.ts')).toBe(
      'Rein (a hint, not an instruction): there is the tool Read for what the shell was just used for: it shows a file, or a part of it.',
    )
    expect(world.run('head src/b.ts')).toBeNull()
    expect(world.run('head src/b.ts', 0, '', 'C')).not.toBeNull()
  })

  test('not if there is none, or if it is switched off', () => {
    expect(world.run('grep -rn x src')).toBeNull()
    world = new World()
    world.settings = { ...usualAdvice, wrongTool: 'off' }
    expect(world.run('cat a.ts')).toBeNull()
  })
})

describe('the primer', () => {
  const someWork = (): void => {
    for (let time = 0; time < 8; time++) world.learn('npm test')
  }

  test('at the start, or with the first prompt where nothing was said at the start', () => {
    someWork()
    expect(textOf(world.adviser.start(world.about(), true))).toContain('- test: `npm test` (8 of 8 ok)')
    expect(world.adviser.prompt(world.about())).toEqual({})
    expect(textOf(world.adviser.prompt(world.about('C')))).toContain('npm test')
    expect(world.adviser.prompt(world.about('C'))).toEqual({})
  })

  test('with what helped against what mostly fails', () => {
    someWork()
    for (let time = 0; time < 3; time++) world.learn('make docs', 1, 'A', 'Error: no theme')
    world.learn('make theme')
    world.learn('make docs')
    expect(textOf(world.adviser.start(world.about(), true))).toContain(
      '- fails here: `make docs` (3 of 4 times: Error: no theme); `make theme` helped 1 of 1 time',
    )
  })

  test('nothing while little is known', () => {
    expect(world.adviser.start(world.about(), true)).toEqual({})
    world.run('ls')
    expect(world.decided[0]).toMatchObject({ moment: 'start', kind: 'none', why: 'too little is known' })
  })

  test('does not keep back what comes right after it', () => {
    someWork()
    world.settings = { ...usualAdvice, cooldownMs: 3_600_000 }
    world.adviser.start(world.about(), true)
    expect(world.run('node x.js', 1, missingModule)).not.toBeNull()
    expect(world.run('cat a.ts')).toBeNull()
  })
})

describe('before a command', () => {
  const before = (command: string, given: Partial<About> = {}): ResponderReply =>
    world.adviser.before(world.about('B', given), command, { command, description: 'x' })

  test('corrects what is known to fail, and says so', () => {
    world.there.add('/srv/app').add('/srv/app/src')
    expect(before('mkdir src')).toEqual({
      decision: {
        kind: 'rewrite',
        input: { command: 'mkdir -p src', description: 'x' },
        reason: 'Rein ran `mkdir -p` in place of `mkdir`: the directory is there already.',
      },
    })
    expect(last()).toMatchObject({ moment: 'before', kind: 'rewrite', isShown: true, about: 'mkdir src' })
    expect(before('mkdir src').decision?.kind).toBe('rewrite')
  })

  test('says so with the result where the CLI cannot say it at once, and only once', () => {
    world.there.add('/srv/app').add('/srv/app/src')
    const told = 'Rein ran `mkdir -p` in place of `mkdir`: the directory is there already.'
    const about = world.about('B', { tellsRewrite: false })
    const rewritten = (): void => void before('mkdir src', { tellsRewrite: false })
    rewritten()
    expect(world.run('ls')).toBeNull()
    expect(world.adviser.after(about, [world.learn('mkdir -p src', 0, 'B')]).context).toEqual([
      { from: 'memory', text: told },
    ])
    expect(world.run('mkdir -p src')).toBeNull()
    rewritten()
    expect(world.run('mkdir src')).toBe(told)
    rewritten()
    expect(textOf(world.adviser.after(about, []))).toBe(told)
    before('mkdir src')
    expect(world.run('mkdir -p src')).toBeNull()
  })

  test('says so beside what else is to be said, as far as there is room', () => {
    world.there.add('/srv/app').add('/srv/app/src')
    const failed = world.learn('mkdir src', 1, 'B', missingModule)
    before('mkdir src', { tellsRewrite: false })
    expect(world.adviser.after(world.about(), [failed]).context).toMatchObject([
      { text: expect.stringContaining('Rein ran') },
      { text: expect.stringContaining('left-pad') },
    ])
    world.adviser.before(world.about('C', { tellsRewrite: false }), 'mkdir src', { command: 'mkdir src' })
    expect(world.adviser.after(world.about('C', { room: 250 }), [failed]).context).toMatchObject([
      { text: expect.stringContaining('Rein ran') },
    ])
    expect(world.adviser.after(world.about('D', { room: 250 }), [failed]).context).toMatchObject([
      { text: expect.stringContaining('left-pad') },
    ])
  })

  test('not where it is switched off or the call names it otherwise', () => {
    world.there.add('/srv/app').add('/srv/app/src')
    expect(world.adviser.before(world.about(), 'mkdir src', { command: ['mkdir', 'src'] })).toEqual({})
    world = new World()
    world.there.add('/srv/app').add('/srv/app/src')
    world.settings = { ...usualAdvice, rewrite: false }
    expect(before('mkdir src')).toEqual({})
  })

  test('denies what has always failed, once, and only if that is wanted', () => {
    const failThrice = (): void => {
      for (const session of ['x', 'y', 'z']) world.learn('npm test', 1, session, 'Error: no lockfile')
    }
    failThrice()
    expect(before('npm test')).toEqual({})
    world = new World()
    world.settings = { ...usualAdvice, denyFailing: true }
    failThrice()
    expect(before('npm test', { edited: ['package.json'] })).toEqual({})
    expect(before('npm test').decision).toMatchObject({ kind: 'deny', reason: expect.stringContaining('no lockfile') })
    expect(before('npm test')).toEqual({})
  })

  test('denies what there is a tool for, once, and only if that is wanted', () => {
    world.settings = { ...usualAdvice, wrongTool: 'deny' }
    expect(before('cat a.ts').decision).toEqual({
      kind: 'deny',
      reason:
        'Use the tool Read for this in place of the shell: it shows a file, or a part of it; asked for once more, it is run.',
    })
    expect(before('cat b.ts').decision?.kind).toBe('deny')
    expect(before('cat a.ts')).toEqual({})
    expect(before('grep -rn x src')).toEqual({})
    expect(world.run('cat a.ts')).toBeNull()
  })

  test('decides nothing else', () => {
    expect(before('npm test')).toEqual({})
    expect(world.decided).toEqual([])
    expect(world.asked).toEqual([])
  })
})

describe('decisions', () => {
  test('a silent one is told when the next command comes, and only the newest', () => {
    world.predictions = [sure('make lint', 0.3)]
    world.adviser.prompt(world.about())
    world.adviser.after(world.about('B', { edited: ['a'] }), [])
    expect(world.decided).toEqual([])
    world.run('make build')
    expect(world.decided).toMatchObject([
      { moment: 'after', about: null, why: 'not sure enough', suggestions: [{ command: 'make lint', score: 0.3 }] },
    ])
    world.run('make build')
    expect(world.decided).toHaveLength(2)
  })

  test('what was said takes the place of what was not', () => {
    world.adviser.prompt(world.about())
    world.run('node x.js', 1, missingModule)
    world.run('ls')
    expect(world.decided.map(({ kind }) => kind)).toEqual(['none', 'meaning'])
  })

  test('carry up to ten suggestions, and one prediction is made for each moment', () => {
    world.predictions = Array.from({ length: 12 }, (_, index) => sure(`make x${index}`, 0.01))
    world.run('node x.js', 1, missingModule)
    expect(last()?.suggestions).toHaveLength(10)
    expect(world.asked).toEqual(['B'])
  })

  test('a conversation that is held out is told nothing, but it is written down what would have been said', () => {
    world.heldOut.add('B')
    world.there.add('/srv/app').add('/srv/app/src')
    expect(world.run('node x.js', 1, missingModule)).toBeNull()
    expect(world.adviser.before(world.about(), 'mkdir src', { command: 'mkdir src' })).toEqual({})
    expect(world.decided).toMatchObject([
      { kind: 'meaning', isShown: false, why: 'held out', text: expect.stringContaining('left-pad') },
      { kind: 'rewrite', isShown: false, why: 'held out' },
    ])
  })

  test('not twice within the cooldown of a session', () => {
    world.settings = { ...usualAdvice, cooldownMs: 20_000 }
    expect(world.run('node x.js', 1, missingModule)).not.toBeNull()
    expect(world.run('cat a.ts')).toBeNull()
    expect(world.run('cat a.ts', 0, '', 'C')).not.toBeNull()
    world.run('ls')
    expect(world.decided.some(({ why }) => why === 'cooldown')).toBe(true)
  })

  test('what an earlier daemon said is not said again, whatever it had counted', () => {
    const story = (): (string | null)[] => {
      for (let time = 0; time < 4; time++) world.learn('go test -race ./...')
      for (let time = 0; time < 8; time++) world.learn('npm test')
      return [
        textOf(world.adviser.start(world.about(), false)),
        world.run('node x.js', 1, missingModule),
        world.run('go test ./...'),
        world.run('cat a.ts'),
      ]
    }
    expect(story()).not.toContain(null)
    const said = world.decided
    world = new World()
    world.said.set('B', said)
    world.learn('go test -race ./...')
    expect(story()).toEqual([null, null, null, null])
    world.run('ls')
    expect(world.decided.map(({ why }) => why)).toContain('said before')
    expect(textOf(world.adviser.start(world.about(), true))).toContain('npm test')
    expect(world.run('node x.js', 1, missingModule)).not.toBeNull()
  })

  test('what an earlier daemon denied once is run when it is asked for once more', () => {
    const denies = (): boolean[] => {
      world.settings = { ...usualAdvice, denyFailing: true, wrongTool: 'deny' }
      for (const session of ['x', 'y', 'z']) world.learn('npm test', 1, session, 'Error: no lockfile')
      const deny = (command: string) => world.adviser.before(world.about(), command, { command }).decision !== undefined
      return ['npm test', 'cat a.ts'].map(deny)
    }
    expect(denies()).toEqual([true, true])
    const said = world.decided
    world = new World()
    world.said.set('B', said)
    expect(denies()).toEqual([false, false])
    expect(world.adviser.before(world.about(), 'cat b.ts', { command: 'cat b.ts' }).decision?.kind).toBe('deny')
  })

  test('nothing that does not fit into what is left', () => {
    expect(textOf(world.adviser.after(world.about('B', { room: 100 }), [world.learn('cat a.ts')]))).toBeNull()
    world.run('ls')
    expect(world.decided[0]?.why).toBe('no room')
  })

  test('a fix is said again only when there is more to say for it', () => {
    const fix = (session: string): void => {
      world.learn('npm test', 1, session, missingModule)
      world.learn('npm install', 0, session)
      world.learn('npm test', 0, session)
    }
    fix('A')
    expect(world.run('npm test', 1, missingModule)).toContain('1 of 1')
    expect(world.run('npm test', 1, missingModule)).not.toContain('npm install` and')
    fix('C')
    expect(world.run('npm test', 1, missingModule)).toContain('2 of 2')
  })
})
