import { expect, test } from 'vitest'
import { ownFiles } from './guard/own-files.ts'
import { loadRules } from './load.ts'
import { packNames, ruleSources } from './sources.ts'
import { loadForTests, runTests } from './testing/run-tests.ts'

test.each(packNames)('the pack %s does what its tests say, all of it', async (pack) => {
  const sources = await ruleSources(null, { userRules: '/nowhere', state: '/nowhere' }, [pack])
  const { rules, problems } = await loadForTests(sources)
  expect(problems).toEqual([])
  const { failures, untested } = await runTests(rules, '/p')
  expect(failures).toEqual([])
  expect(untested).toEqual([])
})

// Loading leaves this out for shipped rules, so that a guard without a daemon answers sooner.
test('nothing is wrong with what shipped rules mean', async () => {
  const places = { state: '/s', runtime: '/r', config: '/c/config.toml', home: '/home/ada' }
  const packs = await ruleSources(null, { userRules: '/nowhere', state: '/nowhere' }, packNames)
  const asOfUser = [ownFiles(places), ...packs].map((source) => ({ ...source, origin: 'user' as const }))
  expect((await loadRules(asOfUser)).problems).toEqual([])
})

test('what is wrong with what a rule means is found in files of others', async () => {
  const text = "version: 1\nrules:\n  - { name: a, on: shell, when: { regex: '(' } }\n"
  const { problems } = await loadRules([{ origin: 'user', file: '/u/a.yaml', text, isTrusted: true }])
  expect(problems).toMatchObject([{ line: 3, message: expect.stringContaining('not an RE2 expression') }])
})
