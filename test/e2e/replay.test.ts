import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ReplayView } from '../../src/contract/outputs/replay.ts'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { cliNamed } from '../support/clis.ts'
import { withEntry } from '../support/forged-bundle.ts'
import { blob } from '../support/forged-pack.ts'
import { reinBin, startRein, type TestRein } from './harness.ts'
import { messagesOf } from './messages.ts'
import { call, files, fill, gitOf, turnsReach, type Walked, walk } from './session-walk.ts'
import { idle } from './terminal.ts'

const asAda = 'git -c user.name=Ada -c user.email=ada@localhost'
const help = { description: 'Help', subagent_type: 'general-purpose' }
const waited = { ...help, run_in_background: false, prompt: 'RUN:echo sub > sub.txt ;; SAY:helped' }
/** It goes on when the turn is over, and begins another one with its end. */
const alone = { ...help, run_in_background: true, prompt: 'WAIT:alone ;; RUN:echo left > left.txt ;; SAY:helped later' }

/** Write, Edit, shell, parallel calls, a command that fails, thoughts, a commit, and a sub-agent. */
const fiveTurns = (cwd: string): string[] => [
  `${call('Write', { file_path: join(cwd, 'made.txt'), content: 'one\ntwo\n' })} ;; RUN:chmod 755 run.sh ;; SAY:first`,
  `THINK:which one ;; ${call('Edit', { file_path: join(cwd, 'made.txt'), old_string: 'two', new_string: 'three' })} ;; SAY:second`,
  `PAR:RUN:cat made.txt && RUN:echo more >> kept.txt && RUN:git log --oneline ;; RUN:pwd && cat nothing.txt ;; SAY:third`,
  `RUN:rm gone.txt && mkdir -p deep/er && mv moved.txt deep/er/ && git add -A && ${asAda} commit -qm more ;; SAY:fourth`,
  `${call('Agent', waited)} ;; SAY:fifth`,
]

const replay = async (
  { rein }: Pick<TestRein, 'rein'>,
  ...args: string[]
): Promise<{ code: number; view: ReplayView }> => {
  const { code, stdout, stderr } = await rein('session', 'replay', 'worker', '--json', ...args)
  if (stdout === '') throw new Error(stderr)
  return { code, view: JSON.parse(stdout) as ReplayView }
}

interface Kept {
  kind: string
  body: unknown
}

/** What the model received in the replay, with the paths of the recording; the scratch directory is gone afterwards. */
const requestsIn = (scratch: string, cwd: string): Kept[] => {
  onTestFinished(() => rmSync(scratch, { recursive: true }))
  const text = readFileSync(join(scratch, 'requests.ndjson'), 'utf8').replaceAll(join(scratch, 'tree'), cwd)
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Kept)
}

/** What a sub-agent is called and has used is its own each time. */
const passing = /(?:_tokens|duration_ms)(?:: |>)\d+|\ba[0-9a-f]{16}\b|<output-file>[^<]*|[\w./-]+\/tasks\/\w+\.output/g

/** What a newer Claude Code says of itself, its tools and its mode, as an older one in reminders. */
const isOfCli = (message: unknown): boolean => (message as { role?: string }).role === 'system'

/** The work itself, message for message; the agent and a sub-agent in the background may ask in any order. */
const work = (requests: readonly Kept[]): unknown[] =>
  requests
    .filter(({ kind }) => kind !== 'side')
    .map((one) => messagesOf(one as SimRequest).filter((message) => !isOfCli(message)))
    .map((messages) => JSON.stringify(messages).replaceAll(passing, ''))
    .toSorted()

/** A turn comes to its end, and what it has left running after it: that is one more turn, which nobody has prompted. */
const letGoOn = async (walked: Walked): Promise<void> => {
  walked.sim.release('alone')
  await turnsReach(walked, walked.target, walked.prompts.length + 1)
  await idle(walked)
}

/** Ctrl-C in the middle of it: nothing stays, neither files nor processes. */
const expectStopped = async ({ cwd, daemonEnv }: TestRein): Promise<void> => {
  const temporary = join(cwd, '../tmp')
  mkdirSync(temporary)
  const args = [reinBin, 'session', 'replay', 'worker', '--yes']
  const child = spawn(process.execPath, args, { cwd, env: { ...daemonEnv, TMPDIR: temporary } })
  await once(child.stdout, 'data')
  const [scratch = ''] = readdirSync(temporary)
  const { pid } = JSON.parse(readFileSync(join(temporary, scratch, 'rein/daemon.json'), 'utf8')) as { pid: number }
  expect(existsSync(`/proc/${pid}`)).toBe(true)
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([1, null])
  expect(readdirSync(temporary)).toEqual([])
  expect(existsSync(`/proc/${pid}`)).toBe(false)
}

test('Claude Code: what was recorded happens again, to the byte', async () => {
  const promptsIn = (cwd: string): string[] => [...fiveTurns(cwd), `${call('Agent', alone)} ;; SAY:sixth`]
  const walked = await walk({ promptsIn, turns: 6 })
  await letGoOn(walked)
  const before = [files(walked.cwd), gitOf(walked.cwd)]
  const { code, view } = await replay(walked, '--keep')
  expect(view.turns.map(({ differences, calls, left, unanswered }) => [differences, calls, left, unanswered])).toEqual(
    [...walked.prompts, 'the end of the sub-agent'].map(() => [[], [], 0, 0]),
  )
  expect(view.turns.map(({ tree }) => tree.replayed)).toEqual(view.turns.map(({ tree }) => tree.recorded))
  expect(view.turns.at(-1)).toMatchObject({ prompt: expect.stringMatching(/^<task-notification>/) })
  expect(view).toMatchObject({ isEqual: true, divergedAt: null, outside: [] })
  expect(code).toBe(0)
  // What git ignores is in no snapshot.
  const { secret: _, ...held } = files(walked.cwd)
  expect(files(join(view.scratch ?? '', 'tree'))).toEqual(held)
  expect(work(requestsIn(view.scratch ?? '', walked.cwd))).toEqual(work(walked.sim.requests))
  expect([files(walked.cwd), gitOf(walked.cwd)]).toEqual(before)
})

test('a bundle is played elsewhere to the byte, once a person has said so', async () => {
  const twoTurns = (cwd: string): string[] => {
    const [first = '', second = ''] = fiveTurns(cwd)
    return [first, second.replace('SAY:', `${call('Agent', waited)} ;; ${call('Agent', alone)} ;; SAY:`)]
  }
  const walked = await walk({ promptsIn: twoTurns })
  await letGoOn(walked)
  const file = join(walked.home, 'work.rein')
  await walked.client.exportSession({ ...walked.target, file })

  const there = await startRein({ scenario: '' })
  const temporary = join(there.home, 'tmp')
  mkdirSync(temporary)
  there.daemonEnv['TMPDIR'] = temporary
  const asked = await there.rein('session', 'replay', file)
  expect(asked).toMatchObject({ code: 5, stdout: '' })
  expect(asked.stderr).toContain('This comes from somebody else, and would really be run:\n')
  for (const one of ['chmod 755 run.sh', 'echo sub > sub.txt', 'echo left > left.txt'])
    expect(asked.stderr).toContain(`  runs   ${one}\n`)
  const evil = join(there.home, 'evil.rein')
  writeFileSync(evil, withEntry('120000', 'link', blob('/etc/hostname')))
  const refused = await there.rein('session', 'replay', evil, '--yes')
  expect(refused).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining('This bundle is refused: ') })
  expect(readdirSync(temporary)).toEqual([])

  const played = await there.rein('session', 'replay', file, '--yes', '--keep', '--json')
  const view = JSON.parse(played.stdout) as ReplayView
  expect(view.turns.map(({ differences, calls, tree }) => [differences, calls, tree.files])).toEqual(
    [...walked.prompts, 'the end of the sub-agent'].map(() => [[], [], []]),
  )
  expect(view.turns.map(({ tree }) => tree.replayed)).toEqual(view.turns.map(({ tree }) => tree.recorded))
  expect(played.code).toBe(0)
  const { secret: _, ...held } = files(walked.cwd)
  expect(files(join(view.scratch ?? '', 'tree'))).toEqual(held)
  expect(work(requestsIn(view.scratch ?? '', walked.cwd))).toEqual(work(walked.sim.requests))
  // Where the bundle was unpacked is gone.
  expect(readdirSync(temporary).filter((name) => name.startsWith('rein-bundle-'))).toEqual([])
  expect(files(there.cwd)).toEqual({})

  const later = await there.rein('session', 'replay', file, '--turns', '2', '--policy', 'Edit=deny', '--yes')
  expect(later.code).toBe(1)
  expect(later.stdout).toContain('It diverged first in turn 2.\n')
})

test('a changed rule shows its effect, also in the middle of a session', async () => {
  const { rein, cwd, client } = await walk({ promptsIn: fiveTurns, turns: 3 })
  const denied = await rein('session', 'replay', 'worker', '--turns', '1', '--policy', 'Bash=deny')
  expect(denied.code).toBe(1)
  expect(denied.stdout).toMatch(/^turn 1: diverged /)
  expect(denied.stdout).toContain(
    "denied: Bash chmod 755 run.sh (The user's policy for this agent denies this (Bash).)",
  )
  expect(denied.stdout).toContain('file different: run.sh\n')
  expect(denied.stdout).toMatch(/It diverged first in turn 1\.\n$/)

  const rules = join(cwd, '../rules')
  mkdirSync(join(rules, '.claude'), { recursive: true })
  const say = { type: 'command', command: 'echo Use tabs.' }
  const settings = { permissions: { deny: ['Bash(echo:*)'] }, hooks: { UserPromptSubmit: [{ hooks: [say] }] } }
  writeFileSync(join(rules, '.claude/settings.json'), JSON.stringify(settings))
  const { code, view } = await replay({ rein }, '--turns', '2..', '--rules', rules)
  expect(code).toBe(1)
  const [second, third] = view.turns
  expect(second?.differences).toMatchObject([
    { request: 1, what: 'a hook context', recorded: null, replayed: expect.stringContaining('Use tabs.') },
  ])
  // The file that it edits was read in a turn that is not played.
  expect(second).toMatchObject({ calls: [], results: { equal: 1, different: 0 }, tree: { files: [] } })
  expect(third?.calls).toMatchObject([{ tool: 'Bash', call: 'echo more >> kept.txt', what: 'denied' }])
  expect(third?.tree.files).toEqual([{ path: 'kept.txt', kind: 'different' }])
  expect(view.divergedAt).toBe('2')

  const { turns } = await client.recording({ target: 'worker', cwd })
  renameSync(turns[0]?.transcript ?? '', `${turns[0]?.transcript}.gone`)
  const gone = await rein('session', 'replay', 'worker')
  expect(gone).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('.jsonl is gone, in which') })
})

test('Codex: what was recorded happens again; what reaches out of the tree is not run unasked', async () => {
  const rein = await startRein({ cli: cliNamed('codex'), scenario: '' })
  fill(rein.cwd)
  const prompts = [
    'RUN:echo one > made.txt ;; SAY:first',
    'PAR:RUN:cat made.txt && RUN:mkdir -p deep && mv moved.txt deep/ ;; THINK:hm ;; SAY:second',
    'RUN:cat nothing.txt ;; RUN:cat /etc/hostname > host.txt ;; SAY:third',
    'RUN:rm gone.txt ;; SAY:fourth',
  ]
  const target = { target: 'worker', cwd: rein.cwd }
  for (const [at, prompt] of prompts.entries()) {
    if (at === 0) await rein.up(prompt)
    else await rein.client.prompt({ ...target, text: prompt })
    await turnsReach(rein, target, at + 1)
    await idle(rein)
  }
  const preview = await rein.rein('session', 'replay', 'worker', '--dry-run')
  expect(preview.stdout).toContain('  runs   rm gone.txt\n')
  const reach = '  turn 3: exec_command: cat /etc/hostname > host.txt (it names /etc/hostname)\n'
  expect(preview.stdout).toMatch(new RegExp(`Reaches out of the tree:\\n.*\\nNothing was run\\.\\n$`))
  expect(preview.stdout).toContain(reach)
  const refused = await rein.rein('session', 'replay', 'worker')
  expect(refused).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining(reach) })

  const { code, view } = await replay(rein, '--yes', '--keep')
  expect(view.turns.map(({ differences, left, unanswered }) => [differences, left, unanswered])).toEqual(
    prompts.map(() => [[], 0, 0]),
  )
  expect(view.turns.map(({ tree }) => tree.replayed)).toEqual(view.turns.map(({ tree }) => tree.recorded))
  expect(code).toBe(0)
  expect(requestsIn(view.scratch ?? '', rein.cwd)).toHaveLength(rein.sim.requests.length)
  const file = join(rein.home, 'work.rein')
  await rein.client.exportSession({ ...target, file })
  const bundled = await rein.rein('session', 'replay', file, '--turns', '4', '--yes')
  expect(bundled).toMatchObject({ code: 0, stdout: expect.stringContaining('1 turn as recorded.\n') })
  await expectStopped(rein)
  const unknown = await rein.rein('session', 'replay', 'nobody')
  expect(unknown).toMatchObject({ code: 3, stderr: expect.stringContaining('nobody') })
})
