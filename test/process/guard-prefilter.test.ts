import { expect, it } from 'vitest'
import { forbidden } from '../support/bypass-corpus.ts'
import { hostileLines } from '../hostile/corpora.ts'
import { blockedOf, lines, passed, usePrefilterBox } from './prefilter-box.ts'

usePrefilterBox()

const spellings = Object.values(forbidden).flatMap((group) =>
  group.map((each) => (typeof each === 'string' ? each : each.line)),
)
/** All of them are tried in the long form. */
const everyTenth = [
  ...[...spellings, ...lines].filter((_, index) => index % 10 === 0),
  ...hostileLines('dev-corpus.jsonl').filter((_, index) => index % 40 === 0),
]

it('denies by a guard, without the evaluator, what that blocks', async () => {
  const blocked = await blockedOf(everyTenth)

  expect(await passed(blocked)).toEqual([])
  expect(blocked.length).toBeGreaterThan(10)
})
