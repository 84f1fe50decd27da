import { expect, test } from 'vitest'
import { anAgent, aRecord, now } from '../../../../test/support/builders.ts'
import { turnEnded, turnEntry, turnStarted } from '../../../../test/support/turn-records.ts'
import type { AnyRecord } from '../../../contract/record.ts'
import type { TurnBlock } from '../../../contract/turn.ts'
import type { Saved } from '../deeds.ts'
import { loadRules } from '../load.ts'
import { RecordedAgents } from '../recorded/agents.ts'
import { commandSteps } from '../recorded/command-file.ts'
import { stepsOf } from '../recorded/steps.ts'
import { Backtest } from './backtest.ts'
import { judgeWith } from './judge.ts'

const root = '/home/dev/project'

const rules = (text: string) =>
  loadRules([
    { origin: 'project', file: `${root}/.rein/rules/x.yaml`, text: `version: 1\nrules:\n${text}`, isTrusted: true },
  ])

const forcePush = `
  - name: no-force-push
    on: shell
    when: { shell: { program: git, subcommand: push, flags: [--force, -f] } }
    message: no
`
const secrets = `
  - name: no-key
    on: [write, edit]
    when: { regex: { pattern: 'AKIA[0-9A-Z]{16}', on: added } }
    message: no
`
const gate = `
  - name: tests-first
    on: stop
    when: { not: { ran: { pattern: npm test } } }
    message: no
`

/** The names of the tools that write a file and run a command, and how each CLI gives them their input. */
const clis = {
  claude: { shell: ['Bash', 'command'], write: ['Write', 'file_path', 'content'] },
  codex: { shell: ['exec_command', 'cmd'], write: null },
  copilot: { shell: ['bash', 'command'], write: ['create', 'path', 'file_text'] },
  gemini: { shell: ['run_shell_command', 'command'], write: ['write_file', 'file_path', 'content'] },
  opencode: { shell: ['bash', 'command'], write: ['write', 'filePath', 'content'] },
} as const

type Cli = keyof typeof clis

let count = 0
const call = (name: string, input: Record<string, unknown>): TurnBlock => ({
  type: 'tool_use',
  id: `call-${(count += 1)}`,
  name,
  input,
})
const ran = (cli: Cli, command: string): TurnBlock => {
  const [name, field] = clis[cli].shell
  return call(name, { [field]: command })
}
const wrote = (cli: Cli, path: string, content: string): TurnBlock => {
  const tool = clis[cli].write
  if (tool === null)
    return call('apply_patch', { input: `*** Begin Patch\n*** Add File: ${path}\n+${content}\n*** End Patch` })
  return call(tool[0], { [tool[1]]: path, [tool[2]]: content })
}
/** How each CLI tells that a command ended well; the text of opencode's does not say. */
const fine: Record<Cli, string> = {
  claude: 'ok',
  codex: 'Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nok',
  copilot: 'ok\n<shellId: 0 completed with exit code 0>',
  gemini: 'Output: ok',
  opencode: 'ok',
}
const result = (block: TurnBlock, isError = false, text = isError ? 'Exit code 1' : 'ok'): TurnBlock => ({
  type: 'tool_result',
  id: block.type === 'tool_use' ? block.id : '',
  text,
  isError,
})

const records = (blocks: readonly TurnBlock[]): AnyRecord[] =>
  [
    turnStarted({ turn: 't1' }),
    ...blocks.map((block, index) => turnEntry({ turn: 't1', at: now + index }, `e${index}`, block)),
    turnEnded({ turn: 't1' }),
  ] as AnyRecord[]

const backtest = async (
  cli: Cli,
  text: string,
  blocks: readonly TurnBlock[],
  answers: AnyRecord[] = [],
  saved: Saved[] = [],
) => {
  const agents = new RecordedAgents()
  agents.add(aRecord('agent.created', { agent: anAgent({ driver: cli, cwd: root }) }) as AnyRecord)
  for (const answer of answers) agents.add(answer)
  const played = new Backtest({
    root,
    home: '/home/dev',
    judge: judgeWith(await rules(text)),
    answers: agents.answers,
    snapshots: () => saved,
  })
  for (const record of records(blocks)) for (const step of stepsOf(record, agents)) await played.add(step)
  return played.report()
}

test.each(Object.keys(clis) as Cli[])('exactly the planted violations of a session of %s', async (cli) => {
  const bad = [ran(cli, 'git push --force'), wrote(cli, 'src/key.ts', 'const k = "AKIAABCDEFGHIJKLMNOP"')]
  const good = [
    ran(cli, 'git push'),
    ran(cli, 'git log'),
    wrote(cli, 'src/a.ts', 'const k = env.KEY'),
    ran(cli, 'npm test'),
  ]
  const blocks = [...bad, ...good].flatMap((block) => [block, result(block, false, fine[cli])])
  const { rules: acted, calls } = await backtest(cli, forcePush + secrets + gate, blocks)
  expect(calls).toBe(6)
  expect(acted.map(({ rule, count: times, calls: [first] }) => [rule, times, first?.summary])).toEqual([
    ['no-force-push', 1, 'git push --force'],
    ['no-key', 1, 'write src/key.ts: const k = "AKIAABCDEFGHIJKLMNOP"'],
    ...(cli === 'opencode' ? [['tests-first', 1, 'stop']] : []),
  ])
})

test('what a person allowed, or went well, is marked for review', async () => {
  const pushes = [ran('claude', 'git push -f origin x'), ran('claude', 'git push --force')]
  const question = {
    id: 'q',
    kind: 'permission',
    tool: 'Bash',
    input: { command: 'git push --force' },
    summary: '',
  } as const
  const answer = aRecord('agent.answered', { question, answer: 'allow', by: 'person', why: '' }) as AnyRecord
  const [first = pushes[0]] = pushes
  const blocks = [...pushes, ...(first === undefined ? [] : [result(first, true)])]
  const { rules: acted } = await backtest('claude', forcePush, blocks, [answer])
  expect(acted).toMatchObject([
    {
      count: 2,
      likelyFalse: 1,
      calls: [
        { summary: 'git push --force', approved: 1, isLikelyFalse: true, agents: ['worker'] },
        { summary: 'git push -f origin x', approved: 0, succeeded: 0, isLikelyFalse: false },
      ],
    },
  ])
})

test('a gate at the stop knows what was run since the last edit', async () => {
  const edit = wrote('claude', 'a.ts', '1')
  const tested = ran('claude', 'npm test')
  const stops = async (blocks: TurnBlock[]) =>
    (await backtest('claude', gate, blocks)).rules.map(({ count: times }) => times)
  expect(await stops([edit, result(edit), tested, result(tested)])).toEqual([])
  expect(await stops([edit, result(edit), tested, result(tested, true)])).toEqual([1])
  expect(await stops([tested, result(tested), edit, result(edit)])).toEqual([1])
  expect(await stops([tested])).toEqual([])
})

test('a gate at the stop is told of the same edits as that of an agent at work', async () => {
  const stops = async (blocks: TurnBlock[], trees: string[] = []) => {
    const saved = trees.map((tree, index) => ({ at: now + index, tree }))
    return (await backtest('claude', gate, blocks, [], saved)).rules.map(({ count: times }) => times)
  }
  const touched = ran('claude', 'touch a.txt')
  expect(await stops([touched, result(touched)])).toEqual([1])
  const denied = wrote('claude', 'a.ts', '1')
  expect(await stops([denied, result(denied, true, 'The rule forbids this.')])).toEqual([])
  const [edit, hidden] = [wrote('claude', 'a.ts', '1'), ran('claude', 'npm test | tail')]
  expect(await stops([edit, result(edit), hidden, result(hidden)])).toEqual([1])
  const generated = ran('claude', './generate')
  expect(await stops([generated, result(generated)], ['one', 'one'])).toEqual([])
  expect(await stops([generated, result(generated)], ['one', 'two'])).toEqual([1])
})

test('a file of commands', async () => {
  async function* lines() {
    yield JSON.stringify({ session: 's', seq: 1, cmd: 'git push --force', exit: 1 })
    yield JSON.stringify({ session: 's', seq: 2, cmd: 'git status', exit: 0 })
  }
  const played = new Backtest({
    root,
    home: null,
    judge: judgeWith(await rules(forcePush)),
    answers: [],
    snapshots: () => [],
  })
  for await (const step of commandSteps(lines(), root)) await played.add(step)
  expect(played.report()).toMatchObject({ calls: 2, rules: [{ rule: 'no-force-push', count: 1, likelyFalse: 0 }] })
})

test('a plain history of a shell, one command a line', async () => {
  async function* lines() {
    yield '#1700000000'
    yield 'git push --force'
    yield ': 1700000000:0;git push -f origin main'
    yield '{ git status; }'
  }
  const played = new Backtest({
    root,
    home: null,
    judge: judgeWith(await rules(forcePush)),
    answers: [],
    snapshots: () => [],
  })
  for await (const step of commandSteps(lines(), root)) await played.add(step)
  expect(played.report()).toMatchObject({ calls: 3, rules: [{ rule: 'no-force-push', count: 2 }] })
})

test('a line that is no command is said with its number', async () => {
  async function* lines() {
    yield '{"cmd":"ls"}'
    yield '{"no":"command"}'
  }
  const read = async () => {
    for await (const step of commandSteps(lines(), root)) expect(step.kind).toMatch(/call|result/)
  }
  await expect(read()).rejects.toThrow('Line 2 is no command')
})
