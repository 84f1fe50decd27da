import { existsSync, readFileSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LaunchRequest } from '../../src/contract/agent.ts'
import type { AnyRecord } from '../../src/contract/record.ts'
import { cliNamed, envOf } from '../support/clis.ts'
import { onScreen, type ScreenOf } from '../process/screen.ts'
import { startRein, type TestRein } from './harness.ts'

const has = (text: string | RegExp) => (lines: string[]) =>
  lines.some((line) => (typeof text === 'string' ? line.includes(text) : text.test(line)))
const isIdle = has(/^■ idle/)
const canAnswer = has('y allows · n denies')

/** `rein run` as a person starts it in a terminal. */
const runOn = (rein: TestRein, args: string[], columns = 100, more: Record<string, string> = {}): ScreenOf => {
  const env = { ...rein.daemonEnv, ...envOf(rein.cli, rein.home, rein.sim.url), ...more }
  return onScreen(['run', ...args], { cwd: rein.cwd, env, columns, rows: 40 })
}

/** Whether the model got this, in one piece. */
const modelGot = ({ sim }: TestRein, text: string): boolean =>
  sim.requests.some((request) => request.text.includes(text))

test('a conversation: text as it comes, permissions, interrupting, what waits, several lines, history', async () => {
  const rein = await startRein({ scenario: 'on (# Report[^]*?end of it) do SAY:$1' })
  await writeFile(
    join(rein.cwd, 'report.md'),
    '# Report\n\n- **one** of `two`\n\n```ts\nconst a = 1\n```\n\nend of it\n',
  )
  const screen = runOn(rein, ['THINK:let me see ;; SLOW:0.2:It **is** so: one two three'])
  await screen.until(has(/^✻ let me see$/))
  await screen.until(has(/^It is so: one two three$/))
  await screen.until(isIdle)

  screen.press('RUN:cat report.md\r')
  const report = await screen.until((lines) => has(/^end of it$/)(lines) && isIdle(lines))
  expect(report).toEqual(
    expect.arrayContaining(['● Bash cat report.md · 9 lines', '# Report', '• one of two', '  const a = 1']),
  )

  screen.press('RUN:touch allowed.txt ;; RUN:touch denied.txt ;; RUN:touch refused.txt ;; SAY:all are answered\r')
  const asked = await screen.until((lines) => has('command: touch allowed.txt')(lines) && canAnswer(lines))
  expect(asked).toContain('? Allow Bash?')
  screen.press('y')
  await screen.until((lines) => has('command: touch denied.txt')(lines) && canAnswer(lines))
  screen.press('n')
  await screen.until((lines) => has('command: touch refused.txt')(lines) && canAnswer(lines))
  screen.press('use another name\r')
  await screen.until((lines) => has(/^all are answered$/)(lines) && isIdle(lines))
  expect(['allowed.txt', 'denied.txt', 'refused.txt'].map((name) => existsSync(join(rein.cwd, name)))).toEqual([
    true,
    false,
    false,
  ])
  expect(modelGot(rein, 'use another name')).toBe(true)

  const file = join(rein.cwd, 'notes.md')
  await writeFile(file, 'zero\n\n- **one** of `two`\n')
  const edit = JSON.stringify({ file_path: file, old_string: '**one** of', new_string: '**both** of' })
  screen.press(`CALL:Read{"file_path":"${file}"} ;; WAIT:ask ;; CALL:Edit${edit} ;; SAY:edited\r`)
  await rein.sim.reached('ask')
  screen.press('y')
  await screen.until((lines) => lines.at(-1) === '› y')
  rein.sim.release('ask')
  const early = await screen.until(canAnswer)
  expect(early).toEqual(
    expect.arrayContaining(['? Allow Edit?', `    ${file}`, '    3 - **one** of', '    3 + **both** of']),
  )
  screen.press('y')
  await screen.until((lines) => has(/^edited$/)(lines) && isIdle(lines) && lines.at(-1) === '› y')
  expect(readFileSync(file, 'utf8')).toContain('- **both** of `two`')
  screen.press('\u0015')

  screen.press('WAIT:never ;; SAY:nobody hears this\r')
  await screen.until(has('Esc interrupts'))
  await rein.sim.reached('never')
  screen.press('\u001b')
  await screen.until((lines) => has(/^› WAIT:never/)(lines) && isIdle(lines))

  screen.press('WAIT:gate ;; SAY:first\r')
  await screen.until(has('Esc interrupts'))
  screen.press('SAY:second\u001b\rof two lines\r')
  await screen.until(has('⋯ SAY:second of two lines'))
  rein.sim.release('gate')
  await screen.until((lines) => has(/^first$/)(lines) && has(/^second$/)(lines) && isIdle(lines))
  expect(modelGot(rein, 'SAY:second\nof two lines')).toBe(true)

  screen.press('\u001b[A')
  await screen.until((lines) => lines.at(-2) === '› SAY:second' && lines.at(-1) === '  of two lines')
  screen.resize(40, 10)
  const small = await screen.until((lines) => lines.length === 10 && lines.at(-1) === '  of two lines')
  expect(small.at(-3)).toMatch(/^■ idle/)
  screen.press('\u0015/exit\r')
  expect(await screen.ended).toBe(0)
  expect(screen.output()).toContain('You left.')
  expect(await rein.client.ps({})).toEqual([])
  expect(statSync(join(rein.paths.state, 'run-history')).mode & 0o777).toBe(0o600)
})

type Turn<Type extends string> = Extract<AnyRecord, { type: Type }>

/** Resolves when the turn of this prompt has come to its end on the log, too. */
const ended = async ({ record }: TestRein, prompt: string): Promise<void> => {
  const { body } = await record(
    'turns',
    (one): one is Turn<'turn.started'> => one.type === 'turn.started' && one.body.prompt === prompt,
  )
  await record('turns', (one): one is Turn<'turn.ended'> => one.type === 'turn.ended' && one.body.turn === body.turn)
}

/** What the agents were started with, oldest first. */
const launches = async ({ client }: TestRein): Promise<LaunchRequest[]> => {
  const requests: LaunchRequest[] = []
  for await (const { type, body } of client.tail({ topic: 'agents', after: 0 }))
    if (type === 'agent.launched') requests.push(body.request)
  return requests
}

test('each command does what it says, to the agent that is talked to', async () => {
  const rein = await startRein({ scenario: '' })
  const screen = runOn(
    rein,
    ['--budget', '5', '--policy', 'approve', 'RUN:echo one > file.txt ;; SAY:wrote one'],
    200,
    {
      NO_COLOR: '1',
    },
  )
  const says = async (line: string, answer: string | RegExp): Promise<void> => {
    screen.press(`${line}\r`)
    await screen.until((lines) => has(answer)(lines) && isIdle(lines))
  }
  await screen.until((lines) => has(/^wrote one$/)(lines) && isIdle(lines))
  await says('RUN:echo two > file.txt ;; SAY:wrote two', /^wrote two$/)
  await ended(rein, 'RUN:echo two > file.txt ;; SAY:wrote two')
  await says('/help', 'interrupts the agent')
  await says('/session', /^session {7}ses_/)
  await says('/turns', /● {2}2 .*← run is here/)
  await says('/cost', /^\$\d+\.\d{4} in 2 turns/)
  await says('/rewind 1', /^run went from turn 2 to turn 1/)
  expect((await rein.rein('session', 'diff', 'run', '1', 'now')).stdout).toContain('No file changed.')
  expect((await screen.until(has('Undo: /undo'))).join('\n')).not.toContain('⇄')
  await says('/undo', /^run went from turn 1 back to turn 2/)
  expect(readFileSync(join(rein.cwd, 'file.txt'), 'utf8')).toBe('two\n')
  await says('/redo', /^run went from turn 2 back to turn 1/)
  expect(readFileSync(join(rein.cwd, 'file.txt'), 'utf8')).toBe('one\n')
  await says('/model other-model', 'It goes on with the model other-model.')
  const { budgetUsd = 0 } = (await launches(rein)).at(-1) ?? {}
  expect(budgetUsd > 4 && budgetUsd < 5).toBe(true)
  await says('SAY:after all that', /^after all that$/)
  expect(rein.sim.requests.at(-1)?.text).toContain('wrote one')
  expect(rein.sim.requests.at(-1)?.text).not.toContain('wrote two')
  expect(JSON.stringify(rein.sim.requests.at(-1)?.body)).toContain('other-model')
  await ended(rein, 'SAY:after all that')
  await says('/fork', /goes on after turn/)
  expect((await launches(rein)).map(({ isOwned }) => isOwned)).toEqual([true, true, true, true, true, undefined])
  await says('/compact', /goes on after turn .* with a summary/)
  screen.press('/quti\r')
  await screen.until(has('There is no /quti. Did you mean /quit?'))
  screen.press('\u0015/q\r')
  expect(await screen.ended).toBe(0)
  // Bold, dim and the colours; what moves the cursor ends otherwise.
  expect(screen.output()).not.toMatch(/\u001b\[[\d;]+m/)
})

test('rewind, undo and restart from another terminal leave an open run open, which says where it went', async () => {
  const rein = await startRein({ scenario: '' })
  const screen = runOn(rein, ['SAY:one'], 160)
  const over = screen.ended.then(() => Promise.reject(new Error(`The run has ended: ${screen.output()}`)))
  const shows = (text: RegExp) => Promise.race([screen.until((lines) => has(text)(lines) && isIdle(lines)), over])
  await shows(/^one$/)
  screen.press('SAY:two\r')
  await shows(/^two$/)
  await ended(rein, 'SAY:two')

  const moved = async (args: string[], told: RegExp): Promise<void> => {
    expect((await rein.rein('session', ...args)).code).toBe(0)
    await shows(told)
  }
  await moved(['rewind', 'run', '1'], /^⇄ run went from turn 2 to turn 1/)
  screen.press('SAY:three\r')
  await shows(/^three$/)
  expect(rein.sim.requests.at(-1)?.text).not.toContain('SAY:two')
  await ended(rein, 'SAY:three')

  await moved(['undo', 'run'], /^⇄ run went from turn \S+ back to turn 2/)
  expect((await rein.rein('restart', 'run')).code).toBe(0)
  screen.press('SAY:four\r')
  await shows(/^four$/)
  expect(rein.sim.requests.at(-1)?.text).toContain('SAY:two')
  expect(rein.sim.requests.at(-1)?.text).not.toContain('SAY:three')
  over.catch(() => undefined)
  screen.press('/exit\r')
  expect(await screen.ended).toBe(0)
})

test('Codex on a terminal: text, a command that is allowed and one that is not, interrupting, the end', async () => {
  const cli = cliNamed('codex')
  const asking = (command: string): string => cli.asking?.(command) ?? ''
  const rein = await startRein({ cli })
  const screen = runOn(rein, ['SAY:Codex is here', '--driver', 'codex'])
  await screen.until((lines) => has(/^Codex is here$/)(lines) && isIdle(lines))

  screen.press(`${asking('touch allowed.txt')} ;; ${asking('touch denied.txt')} ;; SAY:both are answered\r`)
  await screen.until((lines) => has('command: touch allowed.txt')(lines) && canAnswer(lines))
  screen.press('y')
  await screen.until((lines) => has('command: touch denied.txt')(lines) && canAnswer(lines))
  screen.press('n')
  await screen.until((lines) => has(/^both are answered$/)(lines) && isIdle(lines))
  expect(['allowed.txt', 'denied.txt'].map((name) => existsSync(join(rein.cwd, name)))).toEqual([true, false])

  screen.press('SLOW:60:going on\r')
  await screen.until(has(/^going/))
  screen.press('\u001b')
  await screen.until(isIdle)

  screen.press('/session\r')
  await screen.until(has(/^ *agent +run \(codex\)/))
  screen.press('/exit\r')
  expect(await screen.ended).toBe(0)
})
