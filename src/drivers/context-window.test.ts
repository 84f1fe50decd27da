import { expect, test } from 'vitest'
import { contextWindow } from './context-window.ts'

test.each([
  ['claude-sonnet-4-5-20250929', 1000, 200_000],
  ['claude-sonnet-4-5-20250929[1m]', 1000, 1_000_000],
  ['gemini-3-pro', 1000, 1_048_576],
  ['scripted', 1000, null],
  ['claude-opus-4-6', 200_001, null],
])('%s with %i tokens has room for %s', (model, tokens, window) => {
  expect(contextWindow(model, tokens)).toBe(window)
})
