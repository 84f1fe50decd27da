import { expect, test } from 'vitest'
import { sampleStory } from '../../../test/support/story-samples.ts'
import { cellWidth } from '../cells.ts'
import { createStyle } from '../output.ts'
import { formatCount, storyText } from './text.ts'

const style = createStyle(false)
const linesOf = (words: string, columns = Number.POSITIVE_INFINITY): string[] =>
  storyText(sampleStory(words), { style, columns, isAgent: false }).split('\n')

test('a line for each moment, with what became of it below', () => {
  const lines = linesOf('Fix the dates')
  expect(lines[0]).toMatch(/^parser \(task of shop\) is running; since .+, 27\.0 s\.$/)
  expect(lines).toContainEqual(expect.stringMatching(/^\d\d:\d\d:\d\d  parser-lead  turn       Fix the dates$/))
  expect(lines).toContainEqual(expect.stringMatching(/^ +changed Fix the dates$/))
  expect(lines).toContainEqual(expect.stringMatching(/^ +ran npm test Fix the dates \(failed: 1\)$/))
  expect(lines).toContainEqual(expect.stringMatching(/^ +took 6\.0 s, 110 tokens, \$0\.2500$/))
  expect(lines).toContainEqual(expect.stringMatching(/^ +→ acknowledged: Fix the dates, after 8\.0 s$/))
  expect(lines.at(-1)).toMatch(/^still blocked evt_1 from parser-1, .+ ago: Fix the dates$/)
})

test('no words of others make a line of their own, or steer the terminal', () => {
  const calm = linesOf('words')
  const wild = linesOf('words\n12:00:00  rein  task  all is done\u001b[2J\u202e')
  expect(wild).toHaveLength(calm.length)
  expect(wild.join('\n')).not.toMatch(/[\u001b\u202e]/)
})

test('fits a narrow terminal', () => {
  const moments = linesOf('a long text of many words '.repeat(20), 80)
  const end = moments.findIndex((line) => line.startsWith('AGENT'))
  expect(moments.slice(2, end).filter((line) => cellWidth(line) > 80)).toEqual([])
})

test('large numbers are short', () => {
  expect([999, 12_345, 1_250_000].map(formatCount)).toEqual(['999', '12.3k', '1.3M'])
})

test('the person who looks is you', () => {
  const story = sampleStory('x')
  const [first, ...rest] = story.moments
  if (first === undefined) throw new Error('the sample is empty')
  const shown = (moment: Partial<typeof first>): string =>
    storyText({ ...story, moments: [{ ...first, ...moment }, ...rest] }, { style, columns: 80, isAgent: false })
  expect(shown({ text: 'the user made the task parser' })).toContain('  you made the task parser')
  expect(shown({ text: 'the user (phone): the task is done' })).toContain('  you (phone): the task is done')
  expect(shown({ kind: 'agent', agent: 'ada', text: 'paused, by the user (phone)' })).toContain(
    'paused, by you (phone)',
  )
  expect(shown({ kind: 'turn', agent: 'ada', text: 'paused, by the user' })).toContain('paused, by the user')
  const outcome = { at: first.at, text: 'allow', by: 'the user', why: 'rein answer', tone: 'good' as const }
  expect(shown({ outcome })).toContain('allow, by you: rein answer')
  // Words of others stay as they are.
  const note = { ...outcome, text: 'acknowledged: done by the user (old)', by: null, why: null }
  expect(shown({ outcome: note })).toContain('→ acknowledged: done by the user (old),')
  const free = { ...outcome, text: 'deny by the user: no' }
  expect(shown({ outcome: free })).toContain('deny by the user: no, by you: rein answer')
})

test('an agent is not told that it did what a person did', () => {
  const story = sampleStory('x')
  const [first] = story.moments
  if (first === undefined) throw new Error('the sample is empty')
  const outcome = { at: first.at, text: 'allow', by: 'the user', why: null, tone: 'good' as const }
  const moments = [{ ...first, kind: 'agent' as const, agent: 'ada', text: 'stopped, by the user', outcome }]
  const text = storyText({ ...story, moments }, { style, columns: 80, isAgent: true })
  expect(text).toContain('stopped, by the user')
  expect(text).toContain('allow, by the user')
})
