import { expect, test } from 'vitest'
import type { Progress, ProgressLine } from '../contract/routes/route.ts'
import { resultOf } from './progress.ts'

const progress = { what: 'restoring the files', done: 1, total: 2 }

async function* answering(...lines: ProgressLine<string>[]): AsyncGenerator<ProgressLine<string>> {
  yield* lines
}

test('what takes its time tells how far it is, and gives its result', async () => {
  const seen: Progress[] = []
  const lines = answering({ progress }, { progress: { ...progress, done: 2 } }, { result: 'moved' })
  await expect(resultOf(lines, (one) => seen.push(one))).resolves.toBe('moved')
  expect(seen).toEqual([progress, { ...progress, done: 2 }])
})

test('nobody needs to know how far it is', async () => {
  await expect(resultOf(answering({ progress }, { result: 'moved' }))).resolves.toBe('moved')
})

test('an answer without a result is an error', async () => {
  await expect(resultOf(answering({ progress }))).rejects.toMatchObject({ code: 'unavailable' })
})
