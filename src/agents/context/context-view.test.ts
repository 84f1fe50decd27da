import { expect, test } from 'vitest'
import { aRecord, anAgent, now } from '../../../test/support/builders.ts'
import type { AnyRecord } from '../../contract/record.ts'
import type { TurnUsage } from '../../contract/turn.ts'
import { contextView } from './context-view.ts'

const agent = anAgent()
const usage = (given: Partial<TurnUsage> = {}): TurnUsage => ({
  inputTokens: 10,
  cacheTokens: 49_000,
  outputTokens: 990,
  model: 'claude-sonnet-4-5',
  ...given,
})

const entry = (given: TurnUsage | undefined, conversation = agent.conversation ?? ''): AnyRecord => {
  const body = { conversation, turn: 't', entry: 'e', role: 'assistant' as const, blocks: [] }
  const record = aRecord('turn.entry', given === undefined ? body : { ...body, usage: given })
  return { ...record, seq: 1 }
}

test('the newest reply says what is in the context', () => {
  const records = [entry(usage({ inputTokens: 1 })), entry(usage()), entry(undefined)]
  expect(contextView(agent, records, 0)).toMatchObject({
    model: 'claude-sonnet-4-5',
    tokens: 50_000,
    window: 200_000,
    percent: 25,
    at: now,
  })
})

test('an older record without cached tokens counts what it has', () => {
  const { cacheTokens: _, ...older } = usage()
  expect(contextView(agent, [entry(older)], 0).tokens).toBe(1000)
})

test('a reply of another conversation says nothing', () => {
  expect(contextView(agent, [entry(usage(), 'another')], 0)).toMatchObject({ tokens: null, model: null, percent: null })
})

test('the setting wins over what is known about the model', () => {
  expect(contextView(agent, [entry(usage())], 1_000_000)).toMatchObject({ window: 1_000_000, percent: 5 })
  expect(contextView(agent, [entry(usage({ model: 'scripted' }))], 0)).toMatchObject({ window: null, percent: null })
})
