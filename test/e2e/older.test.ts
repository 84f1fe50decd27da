import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shownIn, startRein, statesOf } from './harness.ts'
import { idle } from './terminal.ts'

/** Its hooks carry no context: nothing but its own terminal takes a directive. */
const oldClaude = join(import.meta.dirname, '../../node_modules/claude-code-old/cli.js')

test('one that is older than hooks with context is typed to, with care, and its transcript proves it', async () => {
  const rein = await startRein({ program: oldClaude })
  expect(await rein.up('SAY:hello', {}, { host: 'tmux' })).toMatchObject({ version: '2.0.77' })
  await idle(rein)
  const { id } = await rein.tell('First line.\nSecond line.')
  const receipt = await rein.reached(id, 'acked')
  expect(statesOf(receipt)).toEqual(['queued', 'offered', 'placed', 'seen', 'acked'])
  expect(receipt.steps[1]?.via).toBe('prompt')
  const shown = await rein.sim.next((request) => request.isMain && request.text.includes(id))
  expect(shownIn(shown, id)).toBe(1)
  expect(shown.newText).toContain('| First line.\n| Second line.')
})

test('headless it cannot be told anything, so it is not started', async () => {
  const rein = await startRein({ program: oldClaude })
  await expect(rein.up('SAY:hello')).rejects.toMatchObject({ code: 'version_too_old' })
})
