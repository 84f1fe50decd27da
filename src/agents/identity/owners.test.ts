import { expect, test } from 'vitest'
import { anAgent, now } from '../../../test/support/builders.ts'
import type { Agent } from '../../contract/agent.ts'
import { Owners } from './owners.ts'

const request = { cwd: '/x', env: {}, args: [], isOwned: true }
const owned = (more: Partial<Agent> = {}): Agent => anAgent({ request, state: 'idle', ...more })
const away = 10_000

/** Who is abandoned at these moments. */
const over = (owners: Owners, agent: Agent, ...ms: number[]): boolean[] =>
  ms.map((each) => owners.abandoned([agent], now + each).length > 0)

test('an agent whose owner never came, or is not there any more, is abandoned after a while, and then once', () => {
  expect(over(new Owners(), owned(), 0, away - 1, away, away + 1)).toEqual([false, false, true, false])
})

test('as long as an owner is there it is not; who leaves and comes back has not been away', () => {
  const owners = new Owners()
  const { id } = owned()
  owners.join(id)
  owners.join(id)
  owners.leave(id)
  expect(over(owners, owned(), 0, away)).toEqual([false, false])
  owners.leave(id)
  expect(over(owners, owned(), away + 1)).toEqual([false])
  owners.join(id)
  expect(over(owners, owned(), 2 * away)).toEqual([false])
  owners.leave(id)
  expect(over(owners, owned(), 2 * away + 1, 3 * away, 3 * away + 1)).toEqual([false, false, true])
})

test.each([
  ['that nobody was to own', owned({ request: { ...request, isOwned: false } })],
  ['that is not known to have been started', owned({ request: null })],
  ['that is starting', owned({ state: 'starting' })],
  ['that is gone', owned({ state: 'stopped' })],
])('one %s is not abandoned', (_, agent) => {
  expect(over(new Owners(), agent, 0, away, 3 * away)).toEqual([false, false, false])
})
