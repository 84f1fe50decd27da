import { expect, test } from 'vitest'
import type { MovedView, SessionProgress } from '../contract/routes/sessions.ts'
import { createSessionClient, type SessionClient } from './session.ts'

const moved = { id: 'mov_1', kind: 'undo' } as MovedView
const progress = { what: 'restoring the files', done: 1, total: 2 }

const answering = (...lines: unknown[]) => {
  const asked: [string, object][] = []
  const client: SessionClient = createSessionClient(
    async <T>() => undefined as T,
    async function* <T>(route: string, { input }: { input: object }) {
      asked.push([route, input])
      yield* lines as T[]
    },
  )
  return { client, asked }
}

test('what takes its time tells how far it is, and gives its result', async () => {
  const seen: SessionProgress[] = []
  const { client, asked } = answering({ progress }, { progress: { ...progress, done: 2 } }, { result: moved })
  await expect(client.undo({ cwd: '/', target: 'a' }, (one) => seen.push(one))).resolves.toBe(moved)
  expect(seen).toEqual([progress, { ...progress, done: 2 }])
  expect(asked).toEqual([['undo', { cwd: '/', target: 'a' }]])
})

test('nobody needs to know how far it is', async () => {
  await expect(answering({ progress }, { result: moved }).client.redo({ cwd: '/', target: 'a' })).resolves.toBe(moved)
})

test('an answer without a result is an error', async () => {
  const { client } = answering({ progress })
  await expect(client.rewind({ cwd: '/', target: 'a', turn: '1' })).rejects.toMatchObject({ code: 'unavailable' })
})
