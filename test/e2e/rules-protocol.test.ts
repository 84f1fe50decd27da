import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AnyRecord, LogRecord } from '../../src/contract/record.ts'
import { cliNamed } from '../support/clis.ts'
import { startRein, type TestOptions, type TestRein } from './harness.ts'
import { idle } from './terminal.ts'

const withRules = async (rules: string, options: TestOptions): Promise<TestRein> => {
  const rein = await startRein({ scenario: '', ...options })
  writeRules(rein, rules)
  return rein
}

const writeRules = ({ cwd, paths }: TestRein, rules: string): void => {
  // The user's own are trusted, also to rewrite.
  for (const dir of [join(cwd, '.rein/rules'), join(paths.state, 'rules')]) mkdirSync(dir, { recursive: true })
  writeFileSync(join(paths.state, 'rules/rules.yaml'), `version: 1\nrules:\n${rules}`)
}

const before = async ({ sim }: TestRein, reply: string): Promise<string> =>
  (await sim.next((request) => request.reply === reply)).text

const there = ({ cwd }: TestRein, ...names: string[]): boolean[] => names.map((name) => existsSync(join(cwd, name)))

/** It is prompted with something that a rule forbids, then with something else. */
const refused = async (rein: TestRein): Promise<void> => {
  const { client, cwd, record } = rein
  await client.prompt({ target: 'worker', cwd, text: 'Use hunter2.' })
  await record('rules', (one): one is AnyRecord => one.type === 'rule.decided' && one.body.event === 'prompt')
  await idle(rein)
  await client.prompt({ target: 'worker', cwd, text: 'Go on.' })
}

const asked = ({ record }: TestRein, what: string): Promise<AnyRecord> =>
  record(
    'agents',
    (one): one is AnyRecord => one.type === 'agent.state' && JSON.stringify(one.body.question).includes(what),
  )

const isAnswer = (one: AnyRecord): one is LogRecord<'agent.answered'> & AnyRecord => one.type === 'agent.answered'

const answers = async ({ client }: TestRein): Promise<string[]> => {
  const found: string[] = []
  for await (const one of client.tail({ topic: 'agents', after: 0 }))
    if (isAnswer(one)) found.push(`${one.body.answer} by ${one.body.by}: ${one.body.why}`)
  return found
}

const forbidden =
  '  - { name: not-forbidden, on: shell, when: { regex: "touch forbidden" }, message: Not that file. }\n'

describe('a headless Gemini, whose hooks tell nothing of its tools', () => {
  const rules = `${forbidden}
  - { name: new-name, on: shell, action: rewrite, when: { regex: 'touch old' }, rewrite: { pattern: old, with: new }, message: It is called new now. }
  - { name: a-word, on: shell, action: warn, when: { regex: 'touch warned' }, message: Warned files grow old. }
  - { name: no-todo, on: [write, edit], when: { regex: TODO }, message: Do it now. }
  - { name: ask-first, on: shell, action: ask, when: { regex: 'touch (asked|denied)' }, message: Is that all right? }
  - { name: no-passwords, on: prompt, when: { regex: hunter2 }, message: No passwords. }
  - { name: checked-first, on: stop, once: session, when: { not: { ran: { pattern: '^sh check.sh' } } }, message: Run sh check.sh before you stop. }
`

  test('rules hold: it asks, and Rein answers by them', async () => {
    const rein = await withRules(rules, { cli: cliNamed('gemini') })
    writeFileSync(join(rein.cwd, 'check.sh'), 'echo all is well\n')
    const write = `CALL:write_file${JSON.stringify({ file_path: join(rein.cwd, 'todo.txt'), content: 'TODO' })}`
    const work = `RUN:touch forbidden.txt ;; RUN:touch old.txt ;; ${write} ;; RUN:touch warned.txt ;; SAY:early`
    const later = 'SAY:sorry ;; RUN:touch asked.txt ;; RUN:touch denied.txt ;; SAY:done ;; SAY:fine'
    await rein.up(`${work} ;; RUN:sh check.sh ;; SAY:checked ;; ${later}`)
    expect(await before(rein, 'RUN:sh check.sh')).toContain('Run sh check.sh before you stop.')
    const told = await before(rein, 'SAY:sorry')
    expect(told).toContain('The rule not-forbidden forbids this: Not that file.')
    expect(told).toContain('It is now:\ntouch new.txt\nIt was not run: make the call like this yourself.')
    expect(told).toContain('The rule no-todo forbids this: Do it now.')
    expect(told).toContain('The rule a-word warns: Warned files grow old.')
    expect(there(rein, 'forbidden.txt', 'old.txt', 'new.txt', 'todo.txt', 'warned.txt')).toEqual([
      false,
      false,
      false,
      false,
      true,
    ])
    await idle(rein)

    await rein.tell('Go on.')
    await asked(rein, 'touch asked.txt')
    expect((await rein.rein('ps')).stdout).toContain('The rule ask-first wants a person to decide about this')
    await rein.rein('answer', 'worker', 'allow')
    await asked(rein, 'touch denied.txt')
    await rein.rein('answer', 'worker', 'deny')
    await before(rein, 'SAY:done')
    expect(there(rein, 'asked.txt', 'denied.txt')).toEqual([true, false])
    expect((await answers(rein)).filter((one) => !one.includes('auto-approve'))).toEqual([
      'deny by rule: rule not-forbidden',
      'deny by rule: rule new-name',
      'deny by rule: rule no-todo',
      'allow by person: rein answer',
      'deny by person: rein answer',
    ])
    await idle(rein)
    await refused(rein)
    expect(await before(rein, 'SAY:fine')).not.toContain('hunter2')
  })
})

describe.each(['claude', 'codex'])('headless %s, whose protocol asks', (name) => {
  test('what a rule denies no policy approves, and what a rule wants to be asked about neither', async () => {
    const cli = cliNamed(name)
    const run = (command: string): string => cli.asking?.(command) ?? `RUN:${command}`
    const rules = `${forbidden}  - { name: ask-first, on: shell, action: ask, when: { regex: 'touch asked' } }\n`
    const rein = await withRules(rules, { cli })
    const script = ['touch forbidden.txt', 'touch free.txt', 'touch asked.txt'].map(run).join(' ;; ')
    const policy = { otherwise: 'approve' as const, tools: {} }
    await rein.up(`${script} ;; SAY:done`, { autoApprove: false, policy })
    const isHeld = name === 'codex'
    if (!isHeld) await asked(rein, 'touch asked.txt')
    if (isHeld) await before(rein, 'SAY:done')
    expect(there(rein, 'forbidden.txt', 'free.txt', 'asked.txt')).toEqual([false, true, false])
    const heard = rein.sim.requests.findLast(({ isMain }) => isMain)?.text ?? ''
    expect(heard).toContain('The rule not-forbidden forbids this: Not that file.')
  })
})

test('what memory rewrites is judged as it will run', async () => {
  const rules =
    '  - { name: no-parents, on: shell, when: { shell: { program: mkdir, flags: -p } }, message: Name each one. }\n'
  const rein = await withRules(rules, { config: { REIN_MEMORY_ADVISE: 'true', REIN_MEMORY_REWRITE: 'true' } })
  mkdirSync(join(rein.cwd, 'there'))
  await rein.up('RUN:mkdir there ;; SAY:done')
  expect(await before(rein, 'SAY:done')).toContain('The rule no-parents forbids this: Name each one.')
  const [explained] = await rein.client.explainCall({
    cwd: rein.cwd,
    target: 'worker',
    call: { command: 'mkdir there' },
  })
  expect(explained).toMatchObject({ decided: 'deny', by: 'rule no-parents', rewritten: { command: 'mkdir -p there' } })
  expect(explained?.opinions.map(({ by, kind }) => `${by} ${kind}`)).toEqual(['rule no-parents deny', 'memory rewrite'])
  const last = await rein.client.explainCall({ cwd: rein.cwd, target: 'worker', call: { last: 1 } })
  expect(last).toMatchObject([{ tool: 'Bash', decided: 'deny' }])
})
