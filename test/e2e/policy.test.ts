import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HostKind } from '../../src/contract/agent.ts'
import type { UpRequest } from '../../src/contract/routes/agents.ts'
import type { Policy } from '../../src/contract/policy.ts'
import type { AnyRecord, LogRecord } from '../../src/contract/record.ts'
import { cliNamed } from '../support/clis.ts'
import { onScreen } from '../process/screen.ts'
import { startRein, type TestOptions, type TestRein } from './harness.ts'
import { idle, inState, terminalOf } from './terminal.ts'

const hosts: HostKind[] = ['stream', 'tmux']
const policy = (tools: Policy['tools'], otherwise: Policy['otherwise'] = 'ask'): Policy => ({ otherwise, tools })

interface Given {
  host: HostKind
  onTestFinished?: NonNullable<TestOptions['onTestFinished']>
  request?: Partial<UpRequest['request']>
  options?: TestOptions
}

/** An agent that asks as it always does, unless its policy answers. */
const start = async (prompt: string, { host, request = {}, options = {}, ...given }: Given): Promise<TestRein> => {
  const rein = await startRein({ scenario: '', ...options, ...given })
  await rein.up(prompt, { autoApprove: false, ...request }, { host })
  return rein
}

const agentRecords = async ({ client }: TestRein): Promise<AnyRecord[]> => {
  const records: AnyRecord[] = []
  for await (const record of client.tail({ topic: 'agents', after: 0 })) records.push(record)
  return records
}

const isAnswer = (one: AnyRecord): one is LogRecord<'agent.answered'> & AnyRecord => one.type === 'agent.answered'

const answersIn = async (rein: TestRein): Promise<string[]> =>
  (await agentRecords(rein))
    .filter(isAnswer)
    .map(({ body }) => `${body.question.tool} ${body.answer} by ${body.by}: ${body.why}`)

const lastWords = async ({ sim }: TestRein): Promise<string> =>
  (await sim.next((request) => request.reply === 'SAY:done')).text

const asking = async (rein: TestRein, what: string): Promise<void> => {
  await rein.record('agents', (one): one is AnyRecord => asks(one, what))
}

/** Resolves when a person is asked this now. */
const askedNow = async ({ client }: TestRein, what: string): Promise<void> => {
  for await (const { questions } of client.watchQuestions({}))
    if (questions.some(({ question }) => JSON.stringify(question.input).includes(what))) return
}

const asks = (one: AnyRecord, what: string): boolean =>
  one.type === 'agent.state' && one.body.question !== null && JSON.stringify(one.body.question.input).includes(what)

const ask =
  'CALL:AskUserQuestion{"questions":[{"question":"Which colour?","header":"Colour","multiSelect":false,"options":[{"label":"Red","description":"r"},{"label":"Blue","description":"b"}]}]}'
/** As Claude Code's model plans: into the file that its prompt names. */
const writesPlan = String.raw`on (/\S+/plans/[\w-]+\.md) do CALL:Write{"file_path":"$1","content":"1. Look. 2. Leap."}`
const startPlanning = (given: Given): Promise<TestRein> =>
  start('CALL:ExitPlanMode{} ;; SAY:done', {
    ...given,
    request: { permissionMode: 'plan', ...given.request },
    options: { scenario: writesPlan },
  })

// Both hosts at once: each waits for its CLI to start.
describe('Claude Code', () => {
  describe('the policy answers: what it approves runs, what it denies does not, and the model is told why', () => {
    test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
      const write = `CALL:Write${JSON.stringify({ file_path: '/nowhere/denied.txt', content: 'x' })}`
      const rein = await start(`RUN:touch approved.txt ;; ${write} ;; SAY:done`, {
        host,
        onTestFinished,
        request: { policy: policy({ Bash: 'approve' }, 'deny') },
      })
      expect(await lastWords(rein)).toContain("The user's policy for this agent denies this (Write).")
      expect(existsSync(join(rein.cwd, 'approved.txt'))).toBe(true)
      await idle(rein)
      expect(await answersIn(rein)).toEqual([
        'Bash allow by policy: policy Bash=approve',
        'Write deny by policy: policy *=deny',
      ])
      // Claude Code draws the dialog while its permission hook runs: no person was asked.
      const asked = (await agentRecords(rein)).filter((one) => asks(one, '"'))
      expect(asked.map((one) => JSON.stringify(one))).toEqual([])
    })
  })

  describe('what no rule answers is asked with the whole request, and a person answers', () => {
    test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
      const command = `touch allowed.txt && echo ${'x'.repeat(300)}`
      const rein = await start(`RUN:${command} ;; RUN:touch denied.txt ;; SAY:done`, {
        host,
        onTestFinished,
        request: { policy: policy({ Write: 'approve' }) },
      })
      await asking(rein, 'allowed.txt')
      const shown = await rein.rein('answer', 'worker')
      expect(shown.stdout).toContain(`command:\n  ${command}`)
      expect(JSON.parse((await rein.rein('answer', 'worker', '--json')).stdout)).toMatchObject({
        question: { kind: 'permission', tool: 'Bash', input: { command } },
      })
      expect((await rein.rein('answer', 'worker', 'allow')).code).toBe(0)
      await asking(rein, 'denied.txt')
      await rein.rein('answer', 'worker', 'deny')
      await idle(rein)
      expect(['allowed.txt', 'denied.txt'].map((name) => existsSync(join(rein.cwd, name)))).toEqual([true, false])
      expect(await answersIn(rein)).toEqual(['Bash allow by person: rein answer', 'Bash deny by person: rein answer'])
    })
  })

  describe('a call that a person allows always runs again unasked, after a restart of the daemon, too; another one asks', () => {
    test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
      const again = 'RUN:echo one >> ran.txt'
      const rein = await start(`${again} ;; WAIT:more ;; ${again} ;; RUN:echo two >> ran.txt ;; ${again} ;; SAY:done`, {
        host,
        onTestFinished,
        request: { permissionMode: 'default' },
      })
      const allowed = async () => (await rein.client.ps({ all: true }))[0]?.allowed ?? []
      await asking(rein, 'echo one')
      expect(await rein.client.questions({})).toMatchObject([{ canAlways: true }])
      expect(await rein.rein('answer', 'worker', 'allow', '--always')).toMatchObject({
        code: 5,
        stderr: expect.stringContaining('rein answer worker --json'),
      })
      expect(await allowed()).toEqual([])
      const asked = await rein.rein('answer', 'worker', '--json')
      const { id } = (JSON.parse(asked.stdout) as { question: { id: string } }).question
      const stale = await rein.rein('answer', 'worker', 'allow', '--always', '--question', `${id}0`)
      expect(stale).toMatchObject({ code: expect.any(Number), stderr: expect.stringContaining('no longer asks that') })
      expect((await rein.rein('answer', 'worker', 'allow', '--always', '--question', id)).stdout).toMatch(
        /^always allowed \w{8} +Bash: echo one >> ran\.txt$/m,
      )
      await rein.sim.reached('more')
      await rein.killDaemon()
      expect(await allowed()).toMatchObject([{ tool: 'Bash', summary: 'Bash: echo one >> ran.txt' }])
      rein.sim.release('more')
      await asking(rein, 'echo two')
      expect(readFileSync(join(rein.cwd, 'ran.txt'), 'utf8')).toBe('one\none\n')
      const [call] = await allowed()
      expect((await rein.rein('answer', 'worker', '--ask-again', call?.id.slice(0, 8) ?? '')).code).toBe(0)
      expect(await allowed()).toEqual([])
      await rein.rein('answer', 'worker', 'allow')
      await askedNow(rein, 'echo one')
      await rein.rein('answer', 'worker', 'deny')
      await idle(rein)
      expect(readFileSync(join(rein.cwd, 'ran.txt'), 'utf8')).toBe('one\none\ntwo\n')
      expect(await answersIn(rein)).toEqual([
        'Bash allow by person: rein answer --always',
        'Bash allow by policy: policy always Bash',
        'Bash allow by person: rein answer',
        'Bash deny by person: rein answer',
      ])
    })
  })

  test('what was asked before a restart of the daemon is allowed only once', async () => {
    const rein = await startRein({ scenario: '' })
    await rein.up('RUN:echo one >> ran.txt ;; SAY:done', { autoApprove: false, permissionMode: 'default' })
    await asking(rein, 'echo one')
    await rein.killDaemon()
    const [open] = await rein.client.questions({})
    expect(open).toMatchObject({ canAlways: false })
    const given = await rein.rein('answer', 'worker', 'allow', '--always', '--question', open?.question.id ?? '')
    expect(given).toMatchObject({ code: 5, stderr: expect.stringContaining('before Rein was started anew') })
    await rein.rein('answer', 'worker', 'allow')
    await idle(rein)
    expect((await rein.client.ps({ all: true }))[0]).not.toHaveProperty('allowed')
  })

  test('a person who allows a call for good is shown the whole call first, and asked', async () => {
    const rein = await startRein({ scenario: '' })
    await rein.up('RUN:echo one >> ran.txt ;; SAY:done', { autoApprove: false, permissionMode: 'default' })
    await asking(rein, 'echo one')
    const typed = ['answer', 'worker', 'allow', '--always']
    const isAsked = (lines: string[]): boolean => lines.some((line) => line.endsWith('[y/N]'))
    const first = onScreen(typed, { cwd: rein.cwd, env: rein.daemonEnv })
    expect(await first.until(isAsked)).toContain('  echo one >> ran.txt')
    first.press('\r')
    await first.ended
    expect(first.text()).toContain('Nothing was allowed.')
    expect(await rein.client.questions({})).toMatchObject([{ canAlways: true }])
    const second = onScreen(typed, { cwd: rein.cwd, env: rein.daemonEnv })
    await second.until(isAsked)
    second.press('y\r')
    expect(await second.ended).toBe(0)
    await idle(rein)
    expect((await rein.client.ps({ all: true }))[0]?.allowed).toMatchObject([{ tool: 'Bash' }])
  })

  describe('a plan is approved by policy', () => {
    test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
      const request = { policy: policy({ plan: 'approve' }) }
      const rein = await startPlanning({ host, onTestFinished, request })
      expect(await lastWords(rein)).toContain('User has approved your plan')
      expect(await answersIn(rein)).toEqual(['ExitPlanMode allow by policy: policy plan=approve'])
    })
  })

  describe('a plan is approved by a person', () => {
    test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
      const rein = await startPlanning({ host, onTestFinished })
      await asking(rein, '2. Leap.')
      expect((await rein.rein('answer', 'worker')).stdout).toContain('plan:\n  1. Look. 2. Leap.')
      await rein.rein('answer', 'worker', 'allow')
      expect(await lastWords(rein)).toContain('User has approved your plan')
    })
  })

  describe.each([
    ['2', 'Blue'],
    ['red', 'Red'],
    ['Green, please', 'Green, please'],
  ])('a question is for a person, whatever the policy: %s is answered as %s', (said, meant) => {
    test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
      const rein = await start(`${ask} ;; SAY:done`, {
        host,
        onTestFinished,
        request: { policy: policy({}, 'approve') },
      })
      await asking(rein, 'Which colour?')
      expect((await rein.rein('answer', 'worker')).stdout).toMatch(
        /^rein answer worker 1 +Red\nrein answer worker 2 +Blue\n/m,
      )
      expect(await rein.rein('answer', 'worker', said)).toMatchObject({ code: 0 })
      expect(await lastWords(rein)).toContain(`"Which colour?"="${meant}"`)
    })
  })
})

test('a plan that a person sends back is gone on with, with the feedback', async () => {
  const rein = await startPlanning({ host: 'stream' })
  await asking(rein, '2. Leap.')
  await rein.rein('answer', 'worker', 'Look twice.')
  expect(await lastWords(rein)).toContain('Look twice.')
})

describe('a plan on a screen that offers more than yes and no', () => {
  const begin = async (): Promise<TestRein> => {
    const rein = await startPlanning({ host: 'tmux' })
    await inState(rein, 'awaiting_answer')
    return rein
  }

  test('is approved, and nothing else with it', async () => {
    const rein = await begin()
    const { screen } = await terminalOf(rein)
    expect((await rein.rein('answer', 'worker', 'allow')).stderr).toBe('')
    expect(await lastWords(rein)).toContain('User has approved your plan')
    await idle(rein)
    expect(await screen()).not.toMatch(/auto mode on|accept edits on|bypass permissions on/)
  })

  test('is sent back with a text', async () => {
    const rein = await begin()
    expect((await rein.rein('answer', 'worker', 'Look twice.')).stderr).toBe('')
    expect(await lastWords(rein)).toContain('Look twice.')
  })
})

test("a sub-agent's request is judged by the same policy", async () => {
  const call = { description: 'help', prompt: 'RUN:touch denied.txt ;; SAY:sub done', subagent_type: 'general-purpose' }
  const rein = await start(`CALL:Task${JSON.stringify(call)} ;; SAY:done`, {
    host: 'tmux',
    request: { policy: policy({ Bash: 'deny' }) },
  })
  await rein.sim.next((request) => request.reply === 'SAY:sub done' && request.text.includes("The user's policy"))
  await lastWords(rein)
  expect(existsSync(join(rein.cwd, 'denied.txt'))).toBe(false)
})

describe('Codex', () => {
  describe.each<[Policy['otherwise'], boolean]>([
    ['approve', true],
    ['deny', false],
  ])('%s by policy', (answer, runs) => {
    test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
      const cli = cliNamed('codex')
      const step = cli.asking?.('touch asked.txt') ?? ''
      const rein = await start(`${step} ;; SAY:done`, {
        host,
        onTestFinished,
        options: { cli },
        request: { policy: policy({ Bash: answer }) },
      })
      const heard = await lastWords(rein)
      expect(existsSync(join(rein.cwd, 'asked.txt'))).toBe(runs)
      expect(heard.includes("The user's policy for this agent denies this (Bash).")).toBe(!runs)
      expect(await answersIn(rein)).toEqual([`Bash ${runs ? 'allow' : 'deny'} by policy: policy Bash=${answer}`])
    })
  })
})
