import { expect, test } from 'vitest'
import { loadRules } from './load.ts'
import { describedTemplates, newRuleText, templateNames, templateText } from './templates.ts'
import { runTests } from './testing/run-tests.ts'

const names = await templateNames()

const loaded = async (text: string) =>
  loadRules([{ origin: 'project', file: '/project/.rein/rules/x.yaml', text, isTrusted: true }])

test('there are many', () => {
  expect(names.length).toBeGreaterThanOrEqual(12)
})

test.each(names)('%s is a rule with tests, all of which pass', async (name) => {
  const { rules, problems } = await loaded(await templateText(name))
  expect(problems).toEqual([])
  expect(rules[0]?.rule).toMatchObject({ name, description: expect.any(String) })
  expect(await runTests(rules, import.meta.dirname)).toEqual({ passed: expect.any(Number), failures: [], untested: [] })
})

test.each(names)('%s under another name', async (name) => {
  const text = newRuleText(await templateText(name), {
    name: 'ours',
    template: name,
    isGuard: false,
    schema: './s.json',
  })
  const { rules, problems } = await loaded(text)
  expect(problems).toEqual([])
  expect(rules.map(({ rule }) => rule.name)).toContain('ours')
  expect(rules.every(({ rule }) => rule.name.startsWith('ours'))).toBe(true)
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=./s.json')
})

test('a guard on demand', async () => {
  const asked = { name: 'offline', template: 'no-network', isGuard: true, schema: '' }
  const { rules } = await loaded(newRuleText(await templateText('no-network'), asked))
  expect(rules[0]?.rule.guard).toBe(true)
})

test('one that is not there leads to one that is', async () => {
  await expect(templateText('no-force-psh')).rejects.toMatchObject({ hint: 'Did you mean no-force-push?' })
  expect((await describedTemplates()).map(({ name }) => name)).toEqual(names)
})
