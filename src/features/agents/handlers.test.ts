import { expect, test } from 'vitest'
import { anAgent } from '../../../test/support/builders.ts'
import type { Actor } from '../../contract/identity.ts'
import { answer } from './handlers.ts'
import type { AgentParts } from './parts.ts'

const person: Actor = { kind: 'user', name: 'user' }
const phone: Actor = { ...person, via: { kind: 'device', id: 'dev_1', name: 'phone' } }

test('a device names the question that it answers, for another one may be asked by now', async () => {
  const answered: unknown[] = []
  const questions = { find: () => null, ender: null, answer: async (...given: unknown[]) => void answered.push(given) }
  const one = { agent: anAgent(), questions }
  const parts = {
    finder: { named: async () => one.agent },
    supervisor: { agent: () => one },
  } as unknown as AgentParts
  const input = { target: 'ada', cwd: '/', answer: 'allow' }
  await expect(answer(parts, phone, input)).rejects.toThrow('A device names the question that it answers.')
  expect(answered).toEqual([])
})
