import { expect, test } from 'vitest'
import { contextUse, contextWindow } from './context-window.ts'

test.each([
  ['claude-sonnet-4-5-20250929', 1000, 200_000],
  ['claude-sonnet-4-5-20250929[1m]', 1000, 1_000_000],
  ['claude-opus-4-20250514', 1000, 200_000],
  ['claude-haiku-4-5-20251001', 1000, 200_000],
  ['claude-opus-4-7', 1000, 1_000_000],
  ['claude-opus-5-5', 1000, 1_000_000],
  ['claude-sonnet-5', 1000, 1_000_000],
  ['claude-sonnet-10-1', 1000, 1_000_000],
  ['gemini-3-pro', 1000, 1_048_576],
  ['scripted', 1000, null],
  ['claude-opus-4-6', 200_001, null],
])('%s with %i tokens has room for %s', (model, tokens, window) => {
  expect(contextWindow(model, tokens)).toBe(window)
})

const usage = { inputTokens: 1000, cacheTokens: 500, outputTokens: 10, model: 'claude-opus-4-6' }
const large = { name: 'claude-opus-4-6[1m]', window: null }

test.each([
  ['nothing but the name of the model is known', usage, 0, null, 200_000],
  ['its CLI names the variant with more room', usage, 0, large, 1_000_000],
  ['its CLI says how much fits', usage, 0, { name: 'claude-opus-4-6', window: 500_000 }, 500_000],
  ['a reply names it with its date', { ...usage, model: 'claude-opus-4-6-20260101' }, 0, large, 1_000_000],
  ['what was said is about another model', { ...usage, model: 'claude-haiku-4-5' }, 0, large, 200_000],
  ['it stands with the reply', { ...usage, window: 258_400 }, 0, large, 258_400],
  ['somebody has set it', { ...usage, window: 258_400 }, 42_000, large, 42_000],
  ['the model is not known', { ...usage, model: null }, 0, large, null],
])('the window if %s', (_, given, set, told, window) => {
  expect(contextUse(given, set, told)).toEqual({ tokens: 1510, window })
})
