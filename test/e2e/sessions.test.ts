import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { expectSame } from './messages.ts'
import { files, gitOf, walk } from './session-walk.ts'

test('any of five turns is restored, files and conversation, and goes on as it did', { timeout: 900_000 }, async () => {
  const { client, cwd, target, prompts, states, requests, say } = await walk()
  const before = gitOf(cwd)
  for (const turn of [3, 0, 4, 1, 2]) {
    const preview = await client.rewind({ ...target, turn: String(turn), preview: true })
    const here = files(cwd)
    expect(preview).toMatchObject({ id: null, to: String(turn) })
    const moved = await client.rewind({ ...target, turn: String(turn) })
    expect(moved.changes).toEqual(preview.changes)
    expect(files(cwd)).toEqual(states[turn])
    expectSame(
      await say(prompts[turn] ?? ''),
      requests[turn + 1] as SimRequest,
      prompts[turn] ?? '',
      turn === 0 ? 0 : 1,
    )
    expect(files(cwd)).toEqual(states[turn + 1])
    if (turn !== 0) continue
    await client.rewind({ ...target, turn: '5' })
    expect(files(cwd)).toEqual(states[5])
    await client.undo(target)
    expect(files(cwd)).toEqual(states[turn + 1])
    await client.undo(target)
    expect(files(cwd)).toEqual(here)
    await client.redo(target)
    expect(files(cwd)).toEqual(states[turn + 1])
  }
  // The state of the files is all that has changed: not what is staged, committed, stashed or ignored.
  await client.rewind({ ...target, turn: '5' })
  expect(files(cwd)).toEqual(states[5])
  expect(gitOf(cwd)).toBe(before)
  expect(readFileSync(join(cwd, 'secret'), 'utf8')).toBe('never to be lost')
  const { turns } = await client.session(target)
  expect(turns.map(({ label }) => label)).toEqual(['1', '2', '3', '4', '5', '4b', '1b', '5b', '2b', '3b'])
})
