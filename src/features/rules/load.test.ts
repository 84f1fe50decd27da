import { describe, expect, test } from 'vitest'
import { sourceOf } from '../../../test/support/rules-world.ts'
import { loadRules } from './load.ts'
import type { RuleSource } from './types.ts'

const file = (...rules: string[]): string => `version: 1\nrules:\n${rules.map((rule) => `  - ${rule}\n`).join('')}`

const problemsOf = async (text: string, given: Partial<RuleSource> = {}): Promise<string[]> =>
  (await loadRules([sourceOf(text, given)])).problems.map(
    ({ line, column, message, hint }) => `${line}:${column} ${message}${hint === '' ? '' : ` — ${hint}`}`,
  )

const good = '{ name: good, on: shell, when: { regex: deploy } }'

describe('rule files', () => {
  test('a rule has its place, and what it does not say', async () => {
    const { rules, problems } = await loadRules([sourceOf(file(good))])
    expect(problems).toEqual([])
    expect(rules.map(({ rule, line, surfaces }) => [rule.name, rule.action, line, surfaces])).toEqual([
      ['good', 'block', 3, ['shell']],
    ])
  })

  test('a bad rule takes no other with it', async () => {
    const sources = [
      sourceOf(file(good, '{ name: bad, on: shel }')),
      sourceOf('version: 1\nrules: [', { file: '/p/.rein/rules/b.yaml' }),
      sourceOf(file('{ name: other, on: write }'), { file: '/p/.rein/rules/c.yaml' }),
    ]
    const { rules, problems } = await loadRules(sources)
    expect(rules.map(({ rule }) => rule.name)).toEqual(['good', 'other'])
    expect(problems.map((problem) => problem.file.slice(-6))).toEqual(['a.yaml', 'b.yaml'])
  })

  test.each([
    [
      '{ name: a, on: shell, when: { shell: { flgs: -f } } }',
      '3:44 `flgs` is not a field of `shell` — Did you mean `flags`?',
    ],
    ['{ name: a, on: shel }', '3:20 `on` cannot be "shel" — Did you mean `shell`?'],
    ['{ name: a, on: [shell, wirte] }', '3:28 `on` cannot be "wirte" — Did you mean `write`?'],
    ['{ name: a, on: shell, actoin: block }', '3:27 `actoin` is not a field of a rule — Did you mean `action`?'],
    ['{ name: a }', '3:5 `on` is missing'],
    ['{ on: shell }', '3:5 `name` is missing'],
    [
      '{ name: No Force, on: shell }',
      '3:13 `name` cannot be "No Force" — Lower case letters, digits and dashes, at most 64, like `no-force-push`.',
    ],
    ['{ name: a, on: [] }', '3:20 `on` is empty — Fill it in, or leave the field out.'],
    ['{ name: a, on: shell, when: [] }', '3:33 `when` is empty — Name a matcher, or leave the field out.'],
    ['{ name: a, on: shell, when: { any: [] } }', '3:40 `any` is empty — Name a matcher, or leave the field out.'],
    [
      '{ name: a, on: shell, when: { shell: {} } }',
      '3:42 `shell` is empty — Fields: program, subcommand, flags, all_flags, without_flags, args, reads, writes, deletes, pipes_to, words.',
    ],
    ['{ name: a, on: shell, when: { regx: x } }', '3:35 there is no matcher `regx` — Did you mean `regex`?'],
    [
      '{ name: a, on: shell, when: { not: { all: [{ regex: { patern: x } }] } } }',
      '3:59 `patern` is not a field of `regex` — Did you mean `pattern`?',
    ],
    [
      '{ name: a, on: shell, when: { regex: x, shell: { program: git } } }',
      '3:45 one matcher has the names `regex` and `shell` — Make it a list of two matchers (a `-` before each), or put them under `all` or `any`.',
    ],
    [
      '{ name: a, on: shell, when: git push }',
      '3:33 a matcher is missing here — Write one of all, any, not, markdown, regex, shell, tree, external, state, ran, with a colon.',
    ],
    [
      '{ name: a, on: shell, cooldown: 5 minutes }',
      '3:37 `cooldown` cannot be "5 minutes" — Like `500ms`, `30s`, `10m`, `2h` or `7d`.',
    ],
    ['{ name: a, on: shell, guard: yes please }', '3:34 `guard` must be true or false, not "yes please"'],
    [
      '{ name: a, on: shell, action: rewrite }',
      '3:35 `rewrite` is missing: what is replaced by what — Add `rewrite: { pattern: …, with: … }`.',
    ],
    [
      '{ name: a, on: shell, rewrite: { pattern: a, with: b } }',
      '3:27 `rewrite` does nothing with the action block — Write `action: rewrite`.',
    ],
    [
      '{ name: a, on: read, action: rewrite, rewrite: { pattern: a, with: b } }',
      '3:20 a call of read cannot be rewritten — Possible: shell, write, edit, fetch.',
    ],
    [
      '{ name: a, on: shell, guard: true, action: warn }',
      '3:34 a guard can only block, not warn — Take out `guard`, or make its action `block`.',
    ],
    ['{ name: a, on: [shell, stop], guard: true }', '3:42 a guard cannot look at stop — Make two rules of it.'],
    [
      '{ name: a, on: shell, guard: true, once: turn }',
      '3:46 a guard holds each time, so it has no once — Take it out.',
    ],
    ['{ name: a, on: shell, tools: x/y }', '3:27 `tools` means nothing for shell — Write `on: mcp`.'],
    [
      '{ name: a, on: [shell, write], files: x }',
      '3:36 `files` means nothing for shell — Make two rules of it; for commands there is `shell: { writes: … }`.',
    ],
    ["{ name: a, on: write, files: ['!x'] }", "3:34 `files` only takes out, so no file is left — Begin with '**'."],
    ["{ name: a, on: write, files: ['a{b'] }", '3:35 `a{b` is not a glob: `{` is never closed'],
    [
      '{ name: a, on: write, when: { shell: { program: git } } }',
      '3:35 `shell` looks at commands only — Write `on: shell`.',
    ],
    [
      '{ name: a, on: shell, when: { regex: { pattern: x, on: url } } }',
      '3:60 shell has no url — Possible: command, input.',
    ],
    ['{ name: a, on: stop, when: { regex: x } }', '3:34 a stop has no text to look at — Use `ran` or `state`.'],
    [
      '{ name: a, on: stop, action: ask }',
      '3:34 nobody can be asked about a stop — Write `action: block` or `action: warn`.',
    ],
    [
      '{ name: a, on: [shell, prompt], action: ask }',
      '3:45 nobody can be asked about a prompt — Write `action: block` or `action: warn`.',
    ],
    [
      '{ name: a, on: shell, when: { shell: { program: /usr/bin/cargo } } }',
      '3:53 programs are named without their directory, so `/usr/bin/cargo` never fits — Write `cargo`.',
    ],
    [
      '{ name: a, on: shell, when: { shell: { flags: [-f, force] } } }',
      '3:56 `force` is no flag, so it never fits — Write `--force`; for other words there are `args` and `words`.',
    ],
    [
      '{ name: a, on: shell, when: { shell: { without_flags: [n] } } }',
      '3:60 `n` is no flag, so it never fits — Write `-n`; for other words there are `args` and `words`.',
    ],
    [
      "{ name: a, on: shell, when: { shell: { program: git } }, message: 'not {{ $wrds }}' }",
      '3:71 nothing here captures `{{ $wrds }}` — Possible: command, program, subcommand, words.',
    ],
    [
      "{ name: a, on: stop, message: 'not {{ $path }}' }",
      '3:35 nothing here captures `{{ $path }}` — Write the text without it.',
    ],
    [
      "{ name: a, on: write, when: [{ not: { regex: '(?P<b>x)' } }, { regex: '(y)' }], message: '{{ $b }} {{ $path }} {{ $1 }}' }",
      '3:94 nothing here captures `{{ $b }}` — Possible: path, 0, 1.',
    ],
    [
      "{ name: a, on: write, when: { any: [{ regex: { pattern: x, suggestion: '{{ $2 }}' } }] }, message: '{{ $suggestion }}' }",
      '3:76 nothing here captures `{{ $2 }}` — Possible: 0.',
    ],
    [
      "{ name: a, on: shell, action: rewrite, rewrite: { pattern: '(x)', with: '{{ $words }}' } }",
      '3:77 nothing here captures `{{ $words }}` — Possible: 0, 1.',
    ],
    [
      '{ name: a, on: write, when: { state: { leases: other } } }',
      '3:44 `leases` is not a field of `state` — Did you mean `lease`?',
    ],
    [
      "{ name: a, on: shell, when: { state: { hours: '25:00-26:00' } } }",
      '3:51 25:00-26:00 are no times of a day — Like `22:00-06:00`.',
    ],
  ])('%s', async (rule, problem) => {
    expect(await problemsOf(file(rule))).toEqual([problem])
  })

  test.each([
    ["'(?=a)b'", /not an RE2 expression: .*`\(\?=` — There is no look-around/],
    ["'(a)\\1'", /not an RE2 expression: .* — There are no back references/],
    ["'a('", /not an RE2 expression: missing closing \): `a\(` — A `\\` is needed before/],
  ])('the pattern %s', async (pattern, problem) => {
    const [first] = await problemsOf(file(`{ name: a, on: shell, when: { regex: ${pattern} } }`))
    expect(first).toMatch(problem)
  })

  test.each([
    ['version: 1\nrules: [', '2:9 not YAML: '],
    ['version: 1\nversion: 1\nrules: []', '2:1 not YAML: a field is there twice — Take one of the two out.'],
    [
      'version: 1\nrules:\n  - { name: a, on: write, files: [!src/** ] }\n',
      '3:35 not YAML: Unresolved tag: !src/** — Put a text that begins with `!` into quotes.',
    ],
    [`version: 2\nrules:\n  - ${good}\n`, '1:10 `version` cannot be 2 — Possible: 1.'],
    ['version: 1\n', '1:1 `rules` is missing'],
    [`version: 1\nrule: 1\nrules:\n  - ${good}\n`, '2:1 `rule` is not a field of a rule file — Did you mean `rules`?'],
    ['', '1:1 '],
    ['- a\n', '1:1 '],
  ])('%j', async (text, problem) => {
    const problems = await problemsOf(text)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(problem)
  })

  test('aliases that would become millions are a problem', async () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `a${level + 1}: &a${level + 1} [${Array(10).fill(`*a${level}`).join(', ')}]`,
    )
    const [first] = await problemsOf(`a0: &a0 [x]\n${levels.join('\n')}\nversion: 1\nrules: *a12\n`)
    expect(first).toContain('Excessive alias count')
  })

  test('a file that is nested without end, or too large, is a problem', async () => {
    const own = { origin: 'user' as const }
    expect(await problemsOf('['.repeat(1_000_000), own)).toHaveLength(1)
    expect(await problemsOf('- '.repeat(500_000), own)).toHaveLength(1)
    expect(await problemsOf('"'.repeat(1_000_000), own)).toHaveLength(1)
    expect(await problemsOf(`${file(good)}#${'x'.repeat(1024 * 1024)}`, own)).toEqual([
      '1:1 the file is larger than 1 MiB — Split it: all .yaml files of the directory are read.',
    ])
    const deep = `${'{ not: '.repeat(30)}{ regex: x }${' }'.repeat(30)}`
    expect((await problemsOf(file(`{ name: a, on: shell, when: ${deep} }`)))[0]).toContain('nested more than 20 times')
  })

  test('two rules of one name are told, and both hold', async () => {
    const { rules, problems } = await loadRules([
      sourceOf(file(good)),
      sourceOf(file(good), { file: '/home/ada/b.yaml' }),
    ])
    expect(rules).toHaveLength(2)
    expect(problems.map(({ file: of, line, message }) => `${of}:${line} ${message}`)).toEqual([
      '/home/ada/b.yaml:3 the name good is also that of a rule at /p/.rein/rules/a.yaml:3; both hold',
    ])
  })

  test('what may have held a guard is marked', async () => {
    const isGuard = async (text: string): Promise<boolean[]> =>
      (await loadRules([sourceOf(text)])).problems.map((problem) => problem.isGuard)
    expect(await isGuard(file('{ name: a, on: shel, guard: true }'))).toEqual([true])
    expect(await isGuard(file('{ name: a, on: shel }'))).toEqual([false])
    expect(await isGuard('rules: [ guard: true')).toEqual([true])
    expect(await isGuard('rules: [')).toEqual([false])
  })

  test('what a project’s file may do only when it is trusted is told', async () => {
    const text = file(
      '{ name: a, on: shell, action: rewrite, rewrite: { pattern: npm, with: pnpm } }',
      '{ name: b, on: write, when: { not: { external: { command: [lint] } } } }',
    )
    expect(await problemsOf(text, { isTrusted: false })).toEqual([
      '3:5 a rewrites calls, which nobody has trusted; until then it does nothing — Look at the file, then run: rein rules trust',
      '4:5 b runs what this file names, which nobody has trusted; until then it takes that for a fit: block — Look at the file, then run: rein rules trust',
    ])
    expect(await problemsOf(text, { isTrusted: true })).toEqual([])
  })
})
