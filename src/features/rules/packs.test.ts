import { expect, test } from 'vitest'
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
