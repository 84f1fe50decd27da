import { describe, expect, test } from 'vitest'
import {
  edit,
  plainReading,
  rulesOf,
  shell,
  sourceOf,
  subjectOf,
  worldOf,
  write,
} from '../../../test/support/rules-world.ts'
import { countTurns } from '../../../test/support/turns.ts'
import { readShell } from '../../base/shell/read.ts'
import type { Opaque } from '../../base/shell/reading.ts'
import { processStartTime } from '../../base/util/process.ts'
import { WorkBudget } from '../../base/util/work-budget.ts'
import { evaluate, type Stage } from './evaluate.ts'
import { loadRules } from './load.ts'
import { noMemory } from './memory.ts'
import type { RuleSource, Subject, World } from './types.ts'

interface Case {
  rules: string
  subject: Subject
  world?: Partial<World> & { files?: Record<string, string> }
  stage?: Stage
  source?: Partial<RuleSource>
}

const found = async ({ rules, subject, world, stage, source }: Case): Promise<string[]> => {
  const findings = await evaluate(await rulesOf(rules, source), [subject], worldOf(world), noMemory, stage)
  return findings.map(({ rule, action, isDoubt }) => `${rule.rule.name} ${action}${isDoubt ? ' in doubt' : ''}`)
}

const isFound = async (when: string, subject: Subject, world?: Case['world']): Promise<boolean> =>
  (await found({ rules: `  - { name: a, on: ${subject.surface}, when: ${when} }\n`, subject, ...(world && { world }) }))
    .length > 0

describe('one matcher', () => {
  test.each([
    ['{ shell: { program: git, subcommand: push, flags: --force } }', 'git push --force', true],
    ['{ shell: { program: git, subcommand: push, flags: --force } }', 'git push', false],
    ['{ shell: { program: git, subcommand: push, flags: [--force, -f] } }', 'cd x && git push -f', true],
    ['{ shell: { program: git, flags: --force } }', 'git status && npm i --force', false],
    ['{ shell: { program: rm, all_flags: [-r, -f] } }', 'rm -fr x', true],
    ['{ shell: { program: rm, flags: -rf } }', 'rm -r -f x', true],
    ['{ shell: { program: rm, flags: -rf } }', 'rm -r x', false],
    ['{ shell: { program: rm, without_flags: [-i] } }', 'rm -i x', false],
    ["{ shell: { program: 'python*', args: '*.py' } }", 'python3 a.py', true],
    ["{ shell: { deletes: 'src/**' } }", 'rm src', true],
    ["{ shell: { deletes: 'src/**' } }", 'rm lib/a', false],
    ["{ shell: { reads: ['**/.env', '!test/**'] } }", 'cat test/.env', false],
    ["{ shell: { words: '^npm (i|install)\\b' } }", 'npm install x', true],
    ['{ regex: push }', 'git push', true],
    ['{ not: { regex: push } }', 'git push', false],
    ['{ all: [{ regex: git }, { not: { regex: pull } }] }', 'git push', true],
    ['{ any: [{ regex: pull }, { shell: { program: git } }] }', 'git push', true],
    ['{ any: [{ regex: pull }, { shell: { program: hg } }] }', 'git push', false],
  ])('%s and `%s`: %s', async (when, command, isFit) => {
    expect(await isFound(when, shell(command))).toBe(isFit)
  })

  test.each([
    ['{ state: { branch: [main, release/*] } }', {}, true],
    ['{ state: { branch: main } }', { branch: () => Promise.resolve(null) }, false],
    ['{ state: { dirty: true } }', {}, false],
    ['{ state: { agent: ada, driver: claude, host: tmux, subagent: false } }', {}, true],
    ['{ state: { agent: ada } }', { agent: null }, false],
    ["{ state: { hours: '09:00-17:00', days: wed } }", {}, true],
    ["{ state: { hours: '22:00-06:00' } }", {}, false],
    ["{ state: { hours: '22:00-06:00' } }", { now: () => Date.parse('2026-03-04T23:00:00') }, true],
    ['{ state: { budget_used: 5 } }', { budgetUsed: () => 5.5 }, true],
    ['{ state: { budget_used: 5 } }', {}, false],
    ['{ state: { budget_used: 0 } }', {}, false],
  ] as const)('%s', async (when, world, isFit) => {
    expect(await isFound(when, shell('true'), world)).toBe(isFit)
  })

  test('a lease is one of the file that the call changes', async () => {
    const world = { lease: (file: string) => Promise.resolve(file === 'a.ts' ? ('other' as const) : ('none' as const)) }
    expect(await isFound('{ state: { lease: other } }', write('a.ts', ''), world)).toBe(true)
    expect(await isFound('{ state: { lease: other } }', write('b.ts', ''), world)).toBe(false)
    expect(await isFound('{ state: { lease: none } }', shell('true'), world)).toBe(false)
  })

  test('tests must have passed since the last edit', async () => {
    const stop = subjectOf('stop', null)
    const run = { command: 'npm test', isSuccess: true, isSinceEdit: true, isThisTurn: true }
    const gate = '{ not: { ran: { pattern: npm test } } }'
    expect(await isFound(gate, stop)).toBe(false)
    expect(await isFound(gate, stop, { hasEdited: () => true })).toBe(true)
    expect(await isFound(gate, stop, { hasEdited: () => true, ran: () => [run] })).toBe(false)
    expect(await isFound(gate, stop, { hasEdited: () => true, ran: () => [{ ...run, isSinceEdit: false }] })).toBe(true)
    expect(await isFound(gate, stop, { hasEdited: () => true, ran: () => [{ ...run, isSuccess: false }] })).toBe(true)
    expect(await isFound(gate, stop, { hasEdited: () => true, ran: () => [{ ...run, isSuccess: null }] })).toBe(true)
  })

  test.each([
    ['npm test 2>&1 | tail -5', 'npm test'],
    ['npm test || true', 'npm test'],
    ['cd app; npm test -- --run; echo done', 'npm test -- --run'],
    ['echo npm test', null],
    ['git commit -m "npm test"', null],
  ])('%j does not say that tests passed', async (command, plain) => {
    const run = { command, isSuccess: true, isSinceEdit: true, isThisTurn: true }
    const gate = '{ not: { ran: { pattern: npm test } } }'
    const readLine = (line: string, cwd: string) => readShell(line, { cwd, home: null })
    const set = await rulesOf(`  - { name: r, on: stop, when: ${gate}, message: Test first. }`)
    const world = worldOf({ hasEdited: () => true, ran: () => [run], readShell: readLine })
    const [finding] = await evaluate(set, [subjectOf('stop', null)], world, noMemory)
    expect(finding?.message.split('\n')).toEqual([
      'Test first.',
      ...(plain === null
        ? []
        : [`Whether ${plain} passed cannot be told from how this ended: ${command}`, `Run it plainly: ${plain}`]),
    ])
    const plainly = worldOf({ hasEdited: () => true, ran: () => [run, { ...run, command: 'npm test' }] })
    expect(await isFound(gate, subjectOf('stop', null), plainly)).toBe(false)
  })

  test('a script is known by its name, and as it was called', async () => {
    const run = { command: 'cd app && ./check.sh --all', isSuccess: true, isSinceEdit: true, isThisTurn: true }
    const readLine = (line: string, cwd: string) => readShell(line, { cwd, home: null })
    const world = { hasEdited: () => true, ran: () => [run], readShell: readLine }
    for (const pattern of ['^check.sh --all$', '[.]/check.sh', 'cd app'])
      expect(await isFound(`{ not: { ran: { pattern: '${pattern}' } } }`, subjectOf('stop', null), world)).toBe(false)
  })
})

describe('texts of files', () => {
  const files = { '/p/a.ts': 'one\ntwo\nthree\n' }

  test.each([
    ['{ regex: { pattern: two, on: content } }', write('a.ts', 'two'), true],
    ['{ regex: { pattern: two, on: added } }', write('a.ts', 'two\nfour'), false],
    ['{ regex: { pattern: four, on: added } }', write('a.ts', 'two\nfour'), true],
    ['{ regex: { pattern: two, on: added } }', write('a.ts', 'two\ntwo'), true],
    ['{ regex: { pattern: "one\\n2\\nthree", on: result } }', edit('a.ts', 'two', '2'), true],
    ['{ regex: { pattern: "[$]&", on: result } }', edit('a.ts', 'two', '$&'), true],
    ['{ regex: { pattern: one, on: result } }', edit('a.ts', 'not there', 'x'), false],
    ['{ regex: { pattern: "^a.ts$", on: path } }', edit('/p/a.ts', 'two', '2'), true],
    ['{ regex: { pattern: one } }', subjectOf('write', { kind: 'move', from: 'a.ts', to: 'b.ts' }), true],
  ])('%s', async (when, subject, isFit) => {
    expect(await isFound(when, subject, { files })).toBe(isFit)
  })

  test('globs choose the files, and a move is of both its paths', async () => {
    const rules = "  - { name: a, on: [write, delete], files: ['gen/**', '!gen/keep'] }\n"
    const move = { kind: 'move', from: 'gen/x', to: 'y' } as const
    expect(await found({ rules, subject: write('gen/x', '') })).toEqual(['a block'])
    expect(await found({ rules, subject: write('gen/keep', '') })).toEqual([])
    expect(await found({ rules, subject: subjectOf('delete', move) })).toEqual(['a block'])
    expect(await found({ rules, subject: subjectOf('write', move) })).toEqual([])
    expect(await found({ rules, subject: subjectOf('delete', { kind: 'delete', path: '.' }) })).toEqual(['a block'])
  })

  test('tools of MCP servers', async () => {
    const rules = "  - { name: a, on: mcp, tools: 'github/delete_*', when: { regex: main } }\n"
    const call = (tool: string): Subject =>
      subjectOf('mcp', { kind: 'mcp', server: 'github', tool }, { input: { branch: 'main' } })
    expect(await found({ rules, subject: call('delete_branch') })).toEqual(['a block'])
    expect(await found({ rules, subject: call('get_branch') })).toEqual([])
  })
})

describe('rewrites', () => {
  const rules = `
  - { name: pnpm, on: shell, action: rewrite, when: { shell: { program: npm } }, rewrite: { pattern: '\\bnpm (\\w+)', with: 'pnpm {{ $1 }}' } }
  - { name: quiet, on: shell, action: rewrite, when: { shell: { program: pnpm } }, rewrite: { pattern: '$', with: ' --silent' } }
  - { name: no-pnpm, on: shell, when: { shell: { program: pnpm } } }
`
  const texts = async (subject: Subject, source?: Partial<RuleSource>): Promise<(string | null)[]> =>
    (await evaluate(await rulesOf(rules, source), [subject], worldOf(), noMemory, 'rewrite')).map(({ text }) => text)

  test('each sees what those before it have made', async () => {
    expect(await texts(shell('npm test'))).toEqual(['pnpm test', 'pnpm test --silent'])
  })

  test('they come first, and the others judge', async () => {
    expect(await found({ rules, subject: shell('pnpm x'), stage: 'rewrite' })).toEqual(['quiet rewrite'])
    expect(await found({ rules, subject: shell('pnpm x') })).toEqual(['no-pnpm block'])
  })

  test('what is put in again is whole', async () => {
    const long = "  - { name: a, on: shell, action: rewrite, rewrite: { pattern: 'run (.*)', with: 'try {{ $1 }}' } }\n"
    const words = 'x'.repeat(10_000)
    const [finding] = await evaluate(await rulesOf(long), [shell(`run ${words}`)], worldOf(), noMemory, 'rewrite')
    expect(finding?.text).toBe(`try ${words}`)
  })

  test('a file that nobody trusts rewrites nothing', async () => {
    expect(await texts(shell('npm test'), { isTrusted: false })).toEqual([])
  })

  test('a call of several texts cannot be rewritten, and says so', async () => {
    const many = '  - { name: a, on: edit, action: rewrite, rewrite: { pattern: x, with: y } }\n'
    const replacements = ['x', 'x'].map((text) => ({ old: 'a', new: text, isEverywhere: false }))
    const subject = subjectOf('edit', { kind: 'edit', path: 'a', replacements })
    const findings = await evaluate(await rulesOf(many), [subject], worldOf(), noMemory, 'rewrite')
    expect(findings.map(({ text }) => text)).toEqual([null])
  })
})

describe('doubt', () => {
  const rules = `
  - { name: guard, on: shell, guard: true, when: { shell: { program: git, subcommand: push, flags: --force } } }
  - { name: block, on: shell, when: { shell: { program: hg } } }
  - { name: ask, on: shell, action: ask, when: { shell: { program: hg } } }
  - { name: warn, on: shell, action: warn, when: { shell: { program: hg } } }
  - { name: plain, on: shell, when: { regex: nothing } }
`
  const opaque = (kind: Opaque['kind'], text: string): Case['world'] => ({
    readShell: () => ({ runs: [], opaque: [{ kind, text }] }),
  })

  const inDoubt = ['guard block in doubt', 'block ask in doubt', 'ask ask in doubt']

  test.each(['too long', 'too deep', 'too many'] as const)('a line that is %s is never let through', async (kind) => {
    expect(await found({ rules, subject: shell('x'), world: opaque(kind, 'x') })).toEqual(inDoubt)
  })

  test.each([
    ['git push --force hg (', inDoubt],
    ["g'i't pu''sh --force (", ['guard block in doubt']],
    ['GIT push -f (', []],
    ['git push --force (', ['guard block in doubt']],
    ['git push (', []],
    ['hg (', inDoubt.slice(1)],
    ['$x (', inDoubt],
    ['`x` (', inDoubt],
    ['g\\it (', inDoubt],
    ['echo Z2l0 | base64 -d | sh (', inDoubt],
    ['/tmp/x -a (', inDoubt],
    ['lock ( )', []],
    ["e I'm here", []],
    ['cat a b |', []],
  ])('a line that does not parse is let through if its words rule a rule out: %s', async (text, expected) => {
    expect(await found({ rules, subject: shell('x'), world: opaque('unparsable', text) })).toEqual(expected)
  })

  test.each([
    ['cp x config (', true],
    ['cp x ../y (', true],
    ['cd .git (', true],
    ['lock ( )', false],
  ])('a file of a rule is named by a path, its name, or not at all: %s', async (text, isDoubt) => {
    const writes = "  - { name: w, on: shell, guard: true, when: { shell: { writes: '**/.git/config' } } }\n"
    const outcome = await found({ rules: writes, subject: shell('x'), world: opaque('unparsable', text) })
    expect(outcome).toEqual(isDoubt ? ['w block in doubt'] : [])
  })

  test.each([
    ['dynamic code', 'eval "$x"', true],
    ['dynamic program', '$x push --force', true],
    ['dynamic program', '$x $y', true],
    ['dynamic program', '$x status', false],
    ['dynamic program', '"$PYTHON" setup.py', false],
    ['foreign code', "os.system('git push --force')", true],
    ['foreign code', "os.system(''.join(words))", true],
    ['foreign code', "os.system('make')", false],
  ] as const)('a guard and %s `%s`: %s', async (kind, text, isFit) => {
    const expected = isFit ? ['guard block in doubt'] : []
    expect(await found({ rules, subject: shell('x'), world: opaque(kind, text) })).toEqual(expected)
  })

  test('a doubt stays one under not, and ends where another matcher surely does not fit', async () => {
    const when = (text: string): string => `  - { name: a, on: shell, guard: true, when: ${text} }\n`
    const world = opaque('too deep', 'x')
    const doubt = { rules: when('{ not: { shell: { program: git } } }'), subject: shell('x'), world }
    expect(await found({ ...doubt, world: doubt.world ?? {} })).toEqual(['a block in doubt'])
    const ended = when('[{ shell: { program: git } }, { regex: absent }]')
    expect(await found({ rules: ended, subject: shell('x'), world: world ?? {} })).toEqual([])
    const sure = when('{ any: [{ shell: { program: git } }, { regex: x }] }')
    expect(await found({ rules: sure, subject: shell('x'), world: world ?? {} })).toEqual(['a block'])
  })

  test('a file that cannot be told is one for guards', async () => {
    const [run] = plainReading('rm x').runs
    const world = { readShell: () => ({ runs: run === undefined ? [] : [{ ...run, deletes: [null] }], opaque: [] }) }
    const both =
      "  - { name: g, on: shell, guard: true, when: { shell: { deletes: 'src/**' } } }\n  - { name: b, on: shell, when: { shell: { deletes: 'src/**' } } }\n"
    expect(await found({ rules: both, subject: shell('rm $x'), world })).toEqual(['g block in doubt'])
  })

  test('a text of over 1 MiB, and a patch that cannot be read', async () => {
    const long =
      '  - { name: b, on: write, when: { regex: x } }\n  - { name: w, on: write, action: warn, when: { regex: x } }\n'
    expect(await found({ rules: long, subject: write('a', 'a'.repeat(2 ** 20 + 1)) })).toEqual(['b ask in doubt'])
    const unreadable = subjectOf('write', { kind: 'unreadable', why: 'no hunk' })
    const files =
      "  - { name: b, on: write, files: 'src/**' }\n  - { name: g, on: write, guard: true, files: 'src/**' }\n"
    expect(await found({ rules: files, subject: unreadable })).toEqual(['b ask in doubt', 'g block in doubt'])
  })

  test('what fails while one rule is looked at is a doubt of that rule', async () => {
    const some = `
  - { name: g, on: shell, guard: true, when: { state: { branch: main } } }
  - { name: w, on: shell, action: warn, when: { state: { branch: main } } }
  - { name: b, on: shell, when: { regex: x } }
`
    const world = { branch: () => Promise.reject(new Error('no git')) }
    expect(await found({ rules: some, subject: shell('x'), world })).toEqual(['g block in doubt', 'b block'])
  })

  test('what an untrusted file would run counts as a fit for who blocks', async () => {
    const own = `
  - { name: b, on: write, when: { external: { command: ['false'] } } }
  - { name: n, on: write, when: { not: { external: { command: ['false'] } } } }
  - { name: w, on: write, action: warn, when: { external: { command: ['false'] } } }
`
    const source = { isTrusted: false }
    expect(await found({ rules: own, subject: write('a', ''), source })).toEqual([
      'b block in doubt',
      'n block in doubt',
    ])
  })
})

describe('programs of the author’s', () => {
  const rule = (command: string, timeout = '5s'): string =>
    `  - { name: a, on: write, when: { external: { command: ${command}, timeout: ${timeout} } }, message: 'said {{ $output }}{{ $status }}' }\n`
  const said = async (rules: string): Promise<string[]> =>
    (await evaluate(await rulesOf(rules), [write('a', 'the text')], worldOf({ root: '/' }), noMemory)).map(
      ({ message }) => message,
    )

  test('exit 0 is no match, anything else is one', async () => {
    expect(await said(rule('[grep, -q, text]'))).toEqual([])
    expect(await said(rule("[sh, -c, 'cat; exit 3']"))).toEqual(['said the text3'])
    expect(await said(rule('[no-such-program]'))).toEqual(['said no exit'])
    expect(await said(rule('["a\\0b"]'))).toEqual(['said no exit'])
  })

  test('too late is a match, and what it started is gone', async () => {
    const [text = ''] = await said(rule("[sh, -c, 'sleep 1000 & echo $!; wait']", '300ms'))
    const pid = Number.parseInt(text.replace('said ', ''), 10)
    expect(pid).toBeGreaterThan(0)
    await expect.poll(() => processStartTime(pid)).toBeNull()
  })

  test('it gets no more of the environment than it needs', async () => {
    process.env['REIN_SECRET'] = 'x'
    expect(await said(rule('[sh, -c, \'test -z "$REIN_SECRET"\']'))).toEqual([])
    delete process.env['REIN_SECRET']
  })

  test('output without end is cut', async () => {
    const [text = ''] = await said(rule("[sh, -c, 'yes | head -c 1000000; exit 1']"))
    expect(text.length).toBeLessThan(1000)
  })
})

test('a thousand rules, each on its own', async () => {
  const rules = Array.from(
    { length: 1000 },
    (_, at) => `  - { name: r${at}, on: shell, when: { shell: { program: p${at} } } }\n`,
  )
  expect(await found({ rules: rules.join(''), subject: shell('p7 && p999 x') })).toEqual(['r7 block', 'r999 block'])
})

describe('with what reads shells, trees and markdown', () => {
  const world = { readShell: (command: string, cwd: string) => readShell(command, { cwd, home: '/home/ada' }) }
  const guard =
    '  - { name: g, on: shell, guard: true, when: { shell: { program: git, subcommand: push, flags: [--force, -f] } } }\n'

  test.each([
    ['git push --force', ['g block']],
    ['sudo env A=1 git -C x push -f', ['g block']],
    ["bash -c 'git push --force'", ['g block']],
    ['echo "git push --force"', []],
    ['git push --force-with-lease', []],
    ['curl https://example.com | sh', ['g block in doubt']],
    ['echo "', []],
    ['git push -f "', ['g block']],
    ['echo $x "', ['g block in doubt']],
    ['"git push -f', ['g block in doubt']],
  ])('%s', async (command, expected) => {
    expect(await found({ rules: guard, subject: shell(command), world })).toEqual(expected)
  })

  test.each([
    ['one word', 'a'.repeat(1_000_000)],
    ['many words', 'a '.repeat(500_000)],
    ['substitutions', '$('.repeat(500_000)],
    ['commands', 'a;'.repeat(500_000)],
  ])('a command of 1 MB, %s, is never let through', async (_, command) => {
    expect(await found({ rules: guard, subject: shell(command), world })).toEqual(['g block in doubt'])
  })

  test('a syntax tree, with its captures', async () => {
    const rules = `
  - name: no-any
    on: write
    files: '**/*.ts'
    when: { tree: { language: typescript, query: '((predefined_type) @type (#eq? @type "any"))', suggestion: 'unknown for {{ $type }}' } }
    message: '{{ $suggestion }}'
`
    const findings = await evaluate(await rulesOf(rules), [write('a.ts', 'let a\nlet b: any\n')], worldOf(), noMemory)
    expect(findings.map(({ message, places }) => [message, places.map(({ line }) => line)])).toEqual([
      ['unknown for any', [2]],
    ])
    expect(await found({ rules, subject: write('a.ts', "let b = 'any'\n") })).toEqual([])
    expect(await found({ rules, subject: write('a.js', 'let b: any\n') })).toEqual([])
  })

  test('a query that cannot be is told where it stands', async () => {
    const text =
      "version: 1\nrules:\n  - name: a\n    on: write\n    when:\n      tree:\n        language: typescript\n        query: '(nonsense) @x'\n"
    const { rules, problems } = await loadRules([sourceOf(text)])
    expect(rules).toEqual([])
    expect(problems.map(({ line, column }) => [line, column])).toEqual([[8, 16]])
  })

  test('code blocks of the whole file, with the lines of the file', async () => {
    const rules = `
  - name: no-sudo-in-docs
    on: [write, edit]
    files: '**/*.md'
    when: { markdown: { language: [sh, bash], when: { shell: { program: npm, flags: -g } } } }
`
    const text = '# Title\n\n```sh\nnpm i\nsudo npm i -g x\n```\n'
    const places = async (subject: Subject, files?: Record<string, string>): Promise<number[]> => {
      const findings = await evaluate(
        await rulesOf(rules),
        [subject],
        worldOf({ ...world, ...(files && { files }) }),
        noMemory,
      )
      return findings.flatMap((finding) => finding.places.map(({ line }) => line))
    }
    expect(await places(write('a.md', text))).toEqual([5])
    expect(await places(write('a.md', text.replace('sh', 'text')))).toEqual([])
    expect(await places(edit('a.md', 'i y', 'i -g x'), { '/p/a.md': text.replace('i -g x', 'i y') })).toEqual([5])
  })
})

describe('a long text against many expressions', () => {
  const expressions = Array.from({ length: 20 }, (_, index) => `{ regex: '[a-z]+ [a-z ]+[0-9]{${index + 1}}' }`)
  const asRules = expressions.map((when, index) => `  - { name: r${index}, on: write, when: ${when} }\n`).join('')
  const asOne = (by: string): string => `  - { name: a, on: write, when: { ${by}: [${expressions.join(', ')}] } }\n`
  const inMarkdown = `  - { name: a, on: write, when: { markdown: { when: { any: [${expressions.join(', ')}] } } } }\n`
  const text = 'some words of a file\n'.repeat(40_000)

  test.each([
    ['of many rules', asRules, text],
    ['of one rule', asOne('any'), text],
    ['of the code in a text', inMarkdown, `\`\`\`\n${text}\`\`\`\n`],
  ])('%s lets others have their turn', async (_, rules, content) => {
    const set = await rulesOf(rules)
    const turns = await countTurns(() => evaluate(set, [write('/p/a.md', content)], worldOf(), noMemory))
    expect(turns).toBeGreaterThan(3)
  })
})

describe('a call that names very many files', () => {
  const rules = `  - { name: keys, on: shell, guard: true, when: { shell: { deletes: ['keys/**', '~/.ssh/**'] } } }\n`
  const deleting = (count: number): Subject =>
    shell(`rm -r ${Array.from({ length: count }, (_, at) => `src/a${at}`).join(' ')}`)

  test('is compared within its budget, and in doubt beyond', async () => {
    const work = () => new WorkBudget(1_000_000)
    expect(await found({ rules, subject: deleting(100), world: { work: work() } })).toEqual([])
    const subject = deleting(5_000)
    const [doubt] = await evaluate(await rulesOf(rules), [subject], worldOf({ work: work() }), noMemory)
    expect(doubt).toMatchObject({
      action: 'block',
      isDoubt: true,
      message: expect.stringContaining('names more files'),
    })
  })
})
