import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AnyNewRecord } from '../../src/contract/record.ts'
import type { TurnBlock } from '../../src/contract/turn.ts'
import { projectors } from '../../src/daemon/schema.ts'
import { LogWriter } from '../../src/base/log/writer.ts'
import { openForWriting } from '../../src/base/store/sqlite.ts'
import { aDirective, anAgent, aRecord, person } from '../support/builders.ts'
import { turnRecords } from '../support/turn-records.ts'
import { type Box, createBox, type Result } from './harness.ts'
import { type CliOptions, runCli } from './in-process-cli.ts'
import { onScreen } from './screen.ts'

let box: Box

const rein = (args: string[], options: CliOptions = {}): Promise<Result> => runCli(box, args, options)

beforeEach(() => {
  box = createBox()
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: box.cwd })
})

/** Whether it is a person who makes rules a daemon tells, or a terminal. */
const byPerson = (): void => {
  beforeEach(async () => {
    await box.daemon()
  })
}

const put = (file: string, text: string): void => {
  const place = join(box.cwd, file)
  mkdirSync(join(place, '..'), { recursive: true })
  writeFileSync(place, text)
}
const json = async <T>(...args: string[]): Promise<T> => JSON.parse((await rein([...args, '--json'])).stdout) as T

const noAny = `version: 1
rules:
  - name: no-any
    on: [write, edit]
    files: ['**/*.ts']
    when:
      tree: { language: typescript, query: '((predefined_type) @type (#eq? @type "any"))', on: result }
    message: No any in {{ $path }}.
  - name: todo
    on: edit
    when: { regex: { pattern: TODO, on: added } }
    action: warn
    message: Do it now.
`
const runsSomething = `version: 1
rules:
  - name: use-pnpm
    on: shell
    when: { shell: { program: npm } }
    action: rewrite
    rewrite: { pattern: npm, with: pnpm }
    tests: [{ input: npm ci, expect: rewrite, rewrite: pnpm ci }]
  - name: asks-a-program
    on: write
    when: { external: { command: ['true'] } }
    message: no
`

describe('from an idea to a rule', () => {
  byPerson()

  test('new writes a rule that holds, with tests, and never over another', async () => {
    const made = await rein(['rules', 'new', 'no-force-push'])
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toContain('Written: .rein/rules/no-force-push.yaml')
    expect(made.stdout).toMatch(/\d+ passed, 0 failed/)
    expect(JSON.parse(readFileSync(join(box.cwd, '.rein/rules.schema.json'), 'utf8'))).toMatchObject({ type: 'object' })
    const again = await rein(['rules', 'new', 'no-force-push'])
    expect(again).toMatchObject({ code: 5, stderr: expect.stringContaining('is there already') })
    expect(await json('rules', 'list')).toMatchObject({
      rules: [{ name: 'no-force-push', isGuard: true, isOn: true, origin: 'project', line: 4 }],
      problems: [],
    })
  })

  test('a template under another name, a rewrite that is trusted at once, one of the user, a name that is none', async () => {
    expect(await json('rules', 'new', 'ours', '--template', 'use-pnpm')).toMatchObject({
      rules: ['ours'],
      isTrusted: true,
    })
    expect(await json('rules', 'new', 'mine', '--template', 'no-rm-rf', '--global')).toMatchObject({
      file: join(box.paths.state, 'rules/mine.yaml'),
    })
    expect(await json('rules', 'list')).toMatchObject({
      rules: [
        { name: 'mine', origin: 'user' },
        { name: 'ours', isWaiting: false },
      ],
    })
    expect(await rein(['rules', 'new', 'No Name'])).toMatchObject({ code: 2 })
    expect((await rein(['rules', 'new', 'x', '--template', 'no-force-psh'])).stderr).toContain('Did you mean')
    expect((await rein(['rules', 'new', '--list'])).stdout).toContain('tests-before-stop')
  })

  test('tests say what was expected and what came', async () => {
    put(
      '.rein/rules/x.yaml',
      noAny.replace('message: Do it now.', 'message: Do it now.\n    tests: [{ input: a, expect: warn }]'),
    )
    const failed = await rein(['rules', 'test', 'todo'])
    expect(failed.code).toBe(1)
    expect(failed.stdout).toMatch(/todo, test 1 \(.rein\/rules\/x.yaml:9\)\n +input +a\n +expected +warn\n +came +pass/)
    expect((await rein(['rules', 'test', 'tdoo'])).stderr).toContain('Did you mean todo?')
    expect(await json('rules', 'test', '.rein/rules/x.yaml')).toMatchObject({ passed: 0, untested: ['no-any'] })
    expect((await rein(['rules', 'test', 'no-any'])).stdout).toContain('Without tests: no-any')
  })

  test('packs are switched for the user or the project, and come with tests', async () => {
    expect(await json('rules', 'enable', 'safe-shell')).toMatchObject({ isOn: true, file: box.paths.config })
    expect(await json('rules', 'enable', 'git-hygiene', '--project')).toMatchObject({
      packs: ['safe-shell', 'git-hygiene'],
      file: join(box.cwd, '.rein/config.toml'),
    })
    expect((await rein(['rules', 'list'])).stdout).toMatch(/safe-shell +on +\d+/)
    expect(await json('rules', 'disable', 'safe-shell')).toMatchObject({ isOn: false, packs: ['git-hygiene'] })
    expect((await rein(['rules', 'disable', 'git-hygiene'])).stderr).toContain('This project has it on')
    expect((await rein(['rules', 'enable', 'safe-shel'])).stderr).toContain('Did you mean safe-shell?')
    expect(await json('rules', 'test')).toMatchObject({ failures: [], problems: [] })
  })
})

test('explain says who decides what, without any effect', async () => {
  await box.daemon()
  await rein(['rules', 'new', 'no-force-push'])
  await rein(['rules', 'new', 'use-pnpm'])
  expect(await json('rules', 'explain', 'npm ci && git push -f')).toMatchObject([
    { decided: 'deny', by: 'rule no-force-push', rewritten: { command: 'pnpm ci && git push -f' } },
  ])
  const { stdout } = await rein(['rules', 'explain', '--', 'git', 'push', '--force'])
  expect(stdout).toContain('→ denied, by rule no-force-push\n  deny     rule no-force-push (guard)\n')
  expect((await rein(['rules', 'explain', 'git status'])).stdout).toContain('No rule applies')
  expect(await json('rules', 'explain', '--tool', 'Bash', '--input', '{"command":"git push -f"}')).toMatchObject([
    { decided: 'deny' },
  ])
  expect(await rein(['rules', 'explain', '--last', '1'])).toMatchObject({ code: 2 })
  expect(await rein(['rules', 'explain', 'ls', '--read', 'x'])).toMatchObject({ code: 2 })
})

test('a pack that is switched off says nothing any more, also to a daemon that was started with it', async () => {
  await rein(['rules', 'enable', 'safe-shell'])
  await box.daemon()
  const decided = () => json('rules', 'explain', 'rm -rf /')
  expect(await decided()).toMatchObject([{ decided: 'deny' }])
  await rein(['rules', 'disable', 'safe-shell'])
  await expect.poll(decided, { timeout: 60_000 }).toMatchObject([{ decided: null }])
})

describe('the check', () => {
  beforeEach(() => {
    put('.rein/rules/x.yaml', noAny)
    put('src/a.ts', 'export const a = 1\nexport let b: any = 2 // TODO\n')
    put('src/c.ts', 'export const c = "any"\n')
    put('ignored.ts', 'let a: any\n')
    put('.gitignore', 'ignored.ts\n')
    put('picture.bin', 'a\0b')
    put('large.ts', '// x\n'.repeat(300_000))
  })

  test('shows each place as a compiler does, and says by its exit code that something is forbidden', async () => {
    const { code, stdout } = await rein(['rules', 'check'])
    expect(code).toBe(1)
    expect(stdout).toContain(
      'src/a.ts:2:15: block no-any: No any in src/a.ts.\n 2 | export let b: any = 2 // TODO\n   |               ^^^\n',
    )
    expect(stdout).toContain('src/a.ts:2:26: warn todo: Do it now.')
    expect(stdout).toContain('2 findings, 1 of them forbidden. 2 rules on 3 files; left out: 1 binary, 1 large.')
    expect(await rein(['rules', 'check', 'src/c.ts'])).toMatchObject({ code: 0 })
    expect(await rein(['rules', 'check', 'ignored.ts'])).toMatchObject({ code: 1 })
    expect(await rein(['rules', 'check', 'nothing.ts'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no nothing.ts'),
    })
    expect(await rein(['rules', 'check', '--rules-only'])).toMatchObject({ code: 0 })
  })

  test('from a directory below, and where there is no git', async () => {
    expect((await rein(['rules', 'check', 'a.ts'], { cwd: join(box.cwd, 'src') })).stdout).toContain('src/a.ts:2:15')
    execFileSync('rm', ['-r', '.git'], { cwd: box.cwd })
    expect((await rein(['rules', 'check'])).stdout).toContain('ignored.ts:1:8')
  })

  test('for code hosts: annotations and SARIF', async () => {
    const github = await rein(['rules', 'check', '--format', 'github'])
    expect(github.stdout.split('\n')[0]).toBe(
      '::error file=src/a.ts,line=2,col=15,endLine=2,endColumn=18,title=Rein%3A no-any::No any in src/a.ts.',
    )
    const { stdout, code } = await rein(['rules', 'check', '--format', 'sarif'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          results: [
            { ruleId: 'no-any', level: 'error' },
            { ruleId: 'todo', level: 'warning' },
          ],
        },
      ],
    })
    expect(await json('rules', 'check')).toMatchObject({ files: 3, skipped: { binary: 1, large: 1, unreadable: 0 } })
  })

  test('a file that is not valid is said with its place, and takes no other with it', async () => {
    put('.rein/rules/bad.yaml', 'version: 1\nrules:\n  - name: x\n    on: shell\n    wehn: {}\n')
    const { code, stdout } = await rein(['rules', 'check'])
    expect(code).toBe(2)
    expect(stdout).toMatch(/\.rein\/rules\/bad\.yaml:5:5: invalid: .*`wehn`.*\n +Did you mean `when`\?/)
    expect(stdout).toContain('src/a.ts:2:15')
    expect(stdout).not.toContain('denied')
    expect(await rein(['rules', 'list'])).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('bad.yaml:5:5'),
    })
    expect(await rein(['rules', 'test'])).toMatchObject({ code: 2 })
    expect((await rein(['rules', 'check', '--format', 'github'])).stdout).toContain(
      '::error file=.rein/rules/bad.yaml,line=5,col=5',
    )
    put('.rein/rules/bad.yaml', 'version: 1\nrules:\n  - name: x\n    on: shell\n    wehn: {}\n    guard: true\n')
    for (const args of [['check'], ['list'], ['test'], ['check', '--rules-only']])
      expect((await rein(['rules', ...args])).stdout).toMatch(/guards in there hold as they were .* denied shell\./)
    expect(await json('rules', 'list')).toMatchObject({ problems: [{ isGuard: true, denies: ['shell'] }] })
  })
})

test('where no daemon can tell who it is, only somebody at a terminal makes, trusts or switches rules', async () => {
  mkdirSync(box.paths.state, { recursive: true })
  // No daemon starts where others can look.
  chmodSync(box.paths.state, 0o755)
  for (const args of [
    ['rules', 'trust', '--yes'],
    ['rules', 'new', 'no-rm-rf'],
    ['rules', 'enable', 'safe-shell'],
    ['rules', 'disable', 'safe-shell'],
    ['config', 'set', 'rules.enabled', 'false'],
  ]) {
    const refused = {
      code: 5,
      stdout: '',
      stderr: expect.stringContaining('no daemon answers, and this is no terminal'),
    }
    expect(await rein(args)).toEqual(refused)
  }
  chmodSync(box.paths.state, 0o700)
  expect(existsSync(box.paths.config)).toBe(false)
  const screen = onScreen(['rules', 'enable', 'safe-shell'], { cwd: box.cwd, env: box.env })
  expect(await screen.ended).toBe(0)
  expect(await rein(['config', 'set', 'inbox.limit', '7'])).toMatchObject({ code: 0 })
})

test('an agent changes no settings', async () => {
  const env = { REIN_AGENT: 'agt_1' }
  expect(await box.rein(['config', 'set', 'inbox.limit', '7'], { env, through: ['setsid', '-w'] })).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('An agent may not change settings'),
  })
})

describe('trust', () => {
  byPerson()

  beforeEach(() => put('.rein/rules/x.yaml', runsSomething))
  const waiting = async () => (await json<{ untrusted: string[] }>('rules', 'list')).untrusted

  test('a person is shown what would run, and asked', async () => {
    expect(await waiting()).toEqual([join(box.cwd, '.rein/rules/x.yaml')])
    const screen = onScreen(['rules', 'trust'], { cwd: box.cwd, env: box.env })
    await screen.until((lines) => lines.some((line) => line.includes('May it do this from now on? [y/N]')))
    expect(screen.output()).toContain('use-pnpm changes calls: "npm" becomes "pnpm"')
    expect(screen.output()).toContain('asks-a-program runs: "true"')
    screen.press('y\r')
    expect(await screen.ended).toBe(0)
    expect(await waiting()).toEqual([])
    put('.rein/rules/x.yaml', `${runsSomething}# changed\n`)
    expect(await waiting()).toHaveLength(1)
  })

  test('where nobody can be asked, only --yes does', async () => {
    expect(await rein(['rules', 'trust'])).toMatchObject({ code: 5, stderr: expect.stringContaining('--yes') })
    expect(await json('rules', 'trust', '--yes')).toMatchObject({
      files: [{ isTrusted: true, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    })
    expect((await rein(['rules', 'trust'])).stdout).toContain('Nothing here waits')
  })

  test.each([
    ['trust', '--yes'],
    ['new', 'no-rm-rf'],
    ['enable', 'safe-shell'],
    ['disable', 'safe-shell'],
  ])('an agent may not: rules %s', async (...args) => {
    const refused = await rein(['rules', ...args], { env: { REIN_AGENT: 'agt_1' } })
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('An agent may not') })
    expect(await waiting()).toHaveLength(1)
    expect(existsSync(join(box.cwd, '.rein/rules/no-rm-rf.yaml'))).toBe(false)
  })
})

describe('what happened', () => {
  const at = Date.now() - 60_000
  let calls = 0
  const ran = (command: string): TurnBlock => ({
    type: 'tool_use',
    id: `c${(calls += 1)}`,
    name: 'Bash',
    input: { command },
  })

  const plant = async (records: AnyNewRecord[]): Promise<void> => {
    await box.daemon()
    const db = openForWriting(box.paths.database)
    const [outcome] = new LogWriter(db, projectors).write([{ kind: 'append', records, cursors: [] }])
    db.close()
    expect(outcome).toMatchObject({ ok: true })
  }
  const agent = (): AnyNewRecord =>
    aRecord('agent.created', { agent: anAgent({ cwd: box.cwd, createdAt: at }) }, { at })

  test('backtest finds exactly what was planted', async () => {
    const blocks = [ran('git status'), ran('git push --force'), ran('git push'), ran('echo git push --force')]
    const old = turnRecords({ turn: 'old', conversation: 'c0', at: at - 60 * 86_400_000, blocks: [ran('git push -f')] })
    await plant([agent(), ...old, ...turnRecords({ turn: 't1', at, blocks })])
    await rein(['rules', 'new', 'no-force-push'])
    expect(await json('rules', 'backtest')).toMatchObject({
      calls: 4,
      prompts: 1,
      stops: 1,
      rules: [
        {
          rule: 'no-force-push',
          action: 'block',
          count: 1,
          calls: [{ summary: 'git push --force', agents: ['worker'] }],
        },
      ],
    })
    expect((await rein(['rules', 'backtest', '--since', '365d'])).stdout).toContain(
      'no-force-push would have said block, guard 2 times',
    )
    expect(await json('rules', 'backtest', '--agent', 'nobody')).toMatchObject({ calls: 0, rules: [] })
    expect((await rein(['rules', 'backtest', '--rule', 'no-force-psh'])).stderr).toContain(
      'Did you mean no-force-push?',
    )
    put('h.jsonl', '{"cmd":"git push -f"}\n{"cmd":"npm ci"}\n')
    const [rewrites = '', runs = ''] = runsSomething.split(/(?=  - name: asks)/)
    put('.rein/rules/x.yaml', rewrites)
    put('.rein/rules/y.yaml', `version: 1\nrules:\n${runs}`)
    const { stdout, stderr } = await rein(['rules', 'backtest', '--commands', 'h.jsonl'])
    expect(stderr).toContain('Left out, for nothing is run here: asks-a-program')
    expect(stdout).toMatch(
      /no-force-push would have said block, guard 1 time[^]*use-pnpm would have said rewrite 1 time/,
    )
  })

  test('learn proposes what people refused and corrected, and puts nothing in force', async () => {
    const question = {
      id: 'q',
      kind: 'permission',
      tool: 'Bash',
      input: { command: 'npm publish --tag x' },
      summary: '',
    } as const
    const denied = () => aRecord('agent.answered', { question, answer: 'ask me first', by: 'person', why: '' }, { at })
    const told = (after: number): AnyNewRecord => ({
      ...aRecord(
        'directive.accepted',
        { directive: aDirective({ text: 'Use pnpm instead of npm.' }) },
        { at: at + after },
      ),
      actor: person,
    })
    const turn = turnRecords({ turn: 't1', at, blocks: [ran('npm install')] })
    await plant([agent(), denied(), denied(), told(1), told(2), ...turn])
    const learnt = await json<{ proposals: { yaml: string }[] }>('rules', 'learn')
    expect(learnt.proposals).toMatchObject([
      { name: 'no-npm-publish-tag', why: 'denied', count: 2, file: null },
      {
        name: 'no-npm',
        why: 'corrected',
        count: 2,
        evidence: [{ who: 'worker', what: 'Use pnpm instead of npm.' }, {}],
      },
    ])
    expect(learnt.proposals[0]?.yaml).toContain('ask me first')
    expect((await rein(['rules', 'learn', '--write'])).stdout).toContain('.rein/rules/proposed/no-npm-publish-tag.yaml')
    expect(await json('rules', 'list')).toMatchObject({ rules: [] })
    expect(await rein(['rules', 'test', '.rein/rules/proposed/no-npm-publish-tag.yaml'])).toMatchObject({ code: 0 })
  })
})

test('a mistake in a rule file is told when an agent is started, because its rule does not hold', async () => {
  put('.rein/rules/team.yaml', noAny.replace('regex: { pattern: TODO', "regex: { pattern: '('"))
  const up = await box.rein(['up', 'worker', '--host', 'stream'])
  expect(up).toMatchObject({ code: 0, stderr: expect.stringContaining('team.yaml:') })
  expect(up.stderr).toContain('does not hold for this agent')
  put('.rein/rules/team.yaml', noAny)
  expect((await box.rein(['up', 'other', '--host', 'stream'])).stderr).not.toContain('team.yaml')
})
