import { expect, test } from 'vitest'
import { startRein, type TestRein } from './harness.ts'
import { idle } from './terminal.ts'

/** Resolves with the prompts of the session when so many turns have ended. */
const ended = async ({ client, cwd }: TestRein, count: number): Promise<string[]> => {
  for await (const _ of client.tail({ topic: 'turns', after: 0, follow: true })) {
    const { turns } = await client.session({ target: 'worker', cwd }).catch(() => ({ turns: [] }))
    if (turns.filter(({ endedAt }) => endedAt !== null).length === count) return turns.map(({ prompt }) => prompt)
  }
  throw new Error('The log ended.')
}

test('a turn is called what was told, and what is left behind is not told again', async () => {
  const rein = await startRein({ scenario: '' })
  const { client, cwd, sim } = rein
  await rein.up('SAY:hello')
  await ended(rein, 1)
  await idle(rein)
  const { id } = await rein.tell('Make it blue.')
  await rein.until(id, ({ state }) => state === 'seen')
  expect(await ended(rein, 2)).toEqual(['SAY:hello', 'Make it blue.'])
  await client.rewind({ target: 'worker', cwd, turn: '1' })
  expect((await client.receipt({ id })).state).toBe('cancelled')
  const { length } = sim.requests
  await rein.type('SAY:on')
  const next = await sim.next(({ index, isMain }) => index >= length && isMain)
  expect(next.text).toContain('SAY:hello')
  expect(next.text).not.toContain('Make it blue.')
  expect(await ended(rein, 3)).toEqual(['SAY:hello', 'Make it blue.', 'SAY:on'])
})

test('back before the first prompt, it waits for another one; running or not, it can be undone', async () => {
  const rein = await startRein({ scenario: '' })
  const { client, cwd, sim } = rein
  const target = { target: 'worker', cwd }
  await rein.up('SAY:hello')
  await ended(rein, 1)
  await idle(rein)
  const { conversation } = await client.session(target).then(({ session }) => session)
  await client.rewind({ ...target, turn: '0' })
  await idle(rein)
  await client.down(target)
  expect(sim.requests.filter(({ isMain }) => isMain)).toHaveLength(1)
  expect(await client.undo(target)).toMatchObject({ to: '1', conversation, isRunning: false })
  expect(await client.redo(target)).toMatchObject({ to: '0', isRunning: false })
  await rein.up('SAY:another', { continue: true })
  const other = await sim.next(({ newText }) => newText.includes('SAY:another'))
  expect(other.text).not.toContain('SAY:hello')
  expect(await ended(rein, 2)).toEqual(['SAY:hello', 'SAY:another'])
  expect((await client.session(target)).turns.map(({ label }) => label)).toEqual(['1', '1b'])
})
