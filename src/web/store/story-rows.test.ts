import { expect, test } from 'vitest'
import type { StoryMoment, StoryTurn } from '../../contract/routes/story.ts'
import { groupByDay, tookText, turnLines } from './story-rows.ts'

const moment = (at: Date): StoryMoment => ({
  at: at.getTime(),
  until: null,
  kind: 'task',
  agent: null,
  text: 'x',
  why: null,
  tone: 'plain',
  outcome: null,
  turn: null,
  count: 1,
  evidence: [],
})

test('moments stand under the day of the reader', () => {
  const days = groupByDay([
    moment(new Date(2026, 2, 1, 0, 0)),
    moment(new Date(2026, 2, 1, 23, 59)),
    moment(new Date(2026, 2, 2, 0, 0)),
  ])
  expect(days.map(({ day, moments }) => [new Date(day).getDate(), moments.length])).toEqual([
    [1, 2],
    [2, 1],
  ])
})

test('a turn says what it changed, ran and cost', () => {
  const turn: StoryTurn = {
    files: ['a', 'b'],
    fileCount: 5,
    commands: [
      { command: 'make', outcome: 'ok', exit: 0 },
      { command: 'npm test', outcome: 'failed', exit: 1 },
    ],
    commandCount: 2,
    failedCount: 1,
    allowedCount: 0,
    reply: 'done',
    inputTokens: 1_000,
    cacheTokens: 0,
    outputTokens: 500,
    costUsd: 0.25,
    model: null,
  }
  expect(turnLines(turn)).toEqual([
    'changed a, b and 3 more',
    'ran make, npm test (failed: 1)',
    'said: done',
    '1.5k tokens, $0.25',
  ])
})

test('durations are short', () => {
  expect([999, 2_500, 200_000, 7_500_000].map(tookText)).toEqual(['999 ms', '2.5 s', '3 min', '2 h 5 min'])
})
