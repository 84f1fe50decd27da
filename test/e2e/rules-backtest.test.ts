import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AnyRecord, LogRecord } from '../../src/contract/record.ts'
import type { RulesBacktest } from '../../src/contract/outputs/rule-tools.ts'
import { type Cli, clis } from '../support/clis.ts'
import { startRein, type TestRein } from './harness.ts'

const rules = `version: 1
rules:
  - name: no-force-push
    on: shell
    when: { shell: { program: git, subcommand: push, flags: [--force, -f] } }
    message: no
  - name: checked
    on: stop
    when: { not: { ran: { pattern: ^make check } } }
    message: Run make check.
  - name: about-pushing
    on: prompt
    when: { regex: git push }
    action: context
    message: Pushes go to branches.
`
const work = [
  'RUN:git push --force origin main',
  'RUN:cd . && git push -f',
  'RUN:git status',
  'RUN:echo git push --force',
  'RUN:touch a.txt',
  'SAY:done',
].join(' ;; ')

const isEnd = (one: AnyRecord): one is LogRecord<'turn.ended'> & AnyRecord => one.type === 'turn.ended'

const backtest = async ({ rein }: TestRein): Promise<RulesBacktest> =>
  JSON.parse((await rein('rules', 'backtest', '--json')).stdout) as RulesBacktest

test.each(clis.map((cli) => [cli.name, cli] as const))(
  'a recorded session of %s: exactly the planted violations',
  async (_name, cli: Cli) => {
    const rein = await startRein({ cli, scenario: '' })
    execFileSync('git', ['init', '-q'], { cwd: rein.cwd })
    await rein.up(work)
    await rein.record('turns', isEnd)
    mkdirSync(join(rein.cwd, '.rein/rules'), { recursive: true })
    writeFileSync(join(rein.cwd, '.rein/rules/later.yaml'), rules)

    const { rules: acted, calls, problems } = await backtest(rein)
    expect({ calls, problems }).toEqual({ calls: 5, problems: [] })
    const found = acted.map((one) => [one.rule, one.action, one.calls.map(({ summary }) => summary).toSorted()])
    expect(found).toEqual([
      ['no-force-push', 'block', ['cd . && git push -f', 'git push --force origin main']],
      ['about-pushing', 'context', [expect.stringMatching(/^prompt RUN:git push/)]],
      ['checked', 'block', ['stop']],
    ])
    const pushes = acted.find(({ rule }) => rule === 'no-force-push')
    expect(pushes?.calls.map(({ isLikelyFalse }) => isLikelyFalse)).toEqual([false, false])
  },
)
