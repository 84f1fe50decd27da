import { expect, test } from 'vitest'
import { anAgent, onPhone } from '../../../test/support/builders.ts'
import { answer } from './handlers.ts'
import type { AgentParts } from './parts.ts'

test('a device names the question that it answers, for another one may be asked by now', async () => {
  const answered: unknown[] = []
  const questions = { find: () => null, ender: null, answer: async (...given: unknown[]) => void answered.push(given) }
  const one = { agent: anAgent(), questions }
  const parts = {
    finder: { named: async () => one.agent },
    supervisor: { agent: () => one },
  } as unknown as AgentParts
  const input = { target: 'ada', cwd: '/', answer: 'allow' }
  await expect(answer(parts, onPhone, input)).rejects.toThrow('A device names the question that it answers.')
  expect(answered).toEqual([])
})
