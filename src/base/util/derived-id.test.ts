import { expect, test } from 'vitest'
import { deriveId } from './derived-id.ts'

test('an id made of a text looks like every other id, and is the same for the same text', () => {
  const id = deriveId('dir', 'post_1 agent_1')
  expect(id).toMatch(/^dir_[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(deriveId('dir', 'post_1 agent_1')).toBe(id)
  expect(deriveId('dir', 'post_1 agent_2')).not.toBe(id)
})
