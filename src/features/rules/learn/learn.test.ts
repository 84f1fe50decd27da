import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { RuleFile } from '../../../contract/rule.ts'
import { fromCorrections } from './corrections.ts'
import { type Answered, fromDenials } from './denials.ts'
import { fromFailures, type Ran } from './failures.ts'

const answered = (command: string, reason: string, isAllowed = false): Answered => ({
  at: 1_000,
  who: 'ada',
  action: { kind: 'shell', command, cwd: null },
  isAllowed,
  reason,
})
const ruleOf = (yaml: string | undefined) => (parse(yaml ?? '') as RuleFile).rules[0]

test('what people refused twice becomes a block with their own words', () => {
  const proposals = fromDenials([
    answered('git push --force origin main', 'never force'),
    answered('git push --force', ''),
    answered('git push --force origin x', 'never force; use a branch'),
    answered('npm publish', ''),
  ])
  expect(proposals).toMatchObject([{ name: 'no-git-push-force', why: 'denied', count: 3 }])
  expect(ruleOf(proposals[0]?.yaml)).toEqual({
    name: 'no-git-push-force',
    on: 'shell',
    when: { shell: { program: 'git', subcommand: 'push', all_flags: ['--force'] } },
    action: 'block',
    message: 'A person has refused `git push --force` before: never force; use a branch',
  })
})

test('a script of a project is one of its own', () => {
  const proposals = fromDenials([
    answered('npm run deploy', ''),
    answered('npm run deploy -- --prod', ''),
    answered('npm run lint', ''),
  ])
  expect(proposals.map(({ yaml }) => ruleOf(yaml))).toMatchObject([
    { name: 'no-npm-run-deploy', when: { shell: { program: 'npm', subcommand: 'run deploy' } } },
  ])
})

test('what people allowed at other times is asked', () => {
  const proposals = fromDenials([
    answered('terraform apply', ''),
    answered('terraform apply', '', true),
    answered('terraform apply', ''),
  ])
  expect(proposals.map(({ yaml }) => ruleOf(yaml)?.action)).toEqual(['ask'])
})

test('files that people did not want changed', () => {
  const edit = { kind: 'edit', path: 'schema.sql', replacements: [] } as const
  const denial = { at: 1, who: 'ada', action: edit, isAllowed: false, reason: '' }
  expect(ruleOf(fromDenials([denial, denial])[0]?.yaml)).toMatchObject({ files: 'schema.sql', action: 'block' })
  expect(fromDenials([denial])).toEqual([])
})

test.each([
  ['Please use pnpm instead of npm here.', 'Use `pnpm` in'],
  ["Don't use npm, use pnpm.", 'Use `pnpm` in'],
  ['Instead of `npm install` use `pnpm install`', 'Use `pnpm install` in'],
  ['never run npm here', 'not used here'],
])('%s', (text, message) => {
  const said = { at: 1, who: 'ada', text, ran: ['git status', 'npm install left-pad'] }
  const [proposal] = fromCorrections([said, said])
  expect(ruleOf(proposal?.yaml)).toMatchObject({
    when: { shell: { program: 'npm' } },
    message: expect.stringContaining(message),
  })
})

test('a word about what the agent did not run is no correction, nor is one said once', () => {
  const said = { at: 1, who: 'ada', text: "don't use yarn", ran: ['npm test'] }
  expect(fromCorrections([said, said])).toEqual([])
  expect(fromCorrections([{ ...said, text: "don't use npm" }])).toEqual([])
})

const ran = (command: string, outcome: Ran['outcome']): Ran => ({ command, outcome, at: 1, session: 's', who: 'ada' })

test('what failed three times and was put right by the same command', () => {
  const round = [ran('npm run test', 'failed'), ran('npm run test:unit', 'ok')]
  const [proposal] = fromFailures([...round, ...round, ...round])
  expect(proposal).toMatchObject({ why: 'failed', count: 3 })
  expect(ruleOf(proposal?.yaml)).toMatchObject({
    action: 'warn',
    when: { regex: { pattern: '^\\s*npm run test\\s*$' } },
    message: '`npm run test` has failed here 3 times. What helped: `npm run test:unit`',
  })
  expect(fromFailures([...round, ...round])).toEqual([])
  expect(fromFailures([...round, ...round, ...round, ran('npm run test', 'ok')])).toEqual([])
})

test('text of others stays in its line and its quotes', () => {
  const reason = 'no\nrules:\n  - name: evil'
  const [proposal] = fromDenials([answered('rm -r x', reason), answered('rm -r y', reason)])
  expect(parse(proposal?.yaml ?? '')).toMatchObject({ rules: [{ name: 'no-rm-r' }] })
  expect(proposal?.yaml).toContain('ada: "rm -r x: no rules: - name: evil"')
})
