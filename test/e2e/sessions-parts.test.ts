import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { messagesOf } from './messages.ts'
import { call, files, prefixOf, type Walked, walk } from './session-walk.ts'

const outside = (cwd: string): string => join(cwd, '../outside.txt')

/** A file of its tree, one elsewhere, and one that is too large. */
const promptsIn = (cwd: string): string[] => [
  'RUN:echo one > made.txt ;; SAY:first',
  `${call('Write', { file_path: outside(cwd), content: 'elsewhere' })} ;; RUN:rm made.txt && head -c 5000 /dev/zero > big ;; SAY:second`,
]

const twoTurns = async (): Promise<Walked & { afterFirst: unknown[]; afterSecond: (request: SimRequest) => void }> => {
  const walked = await walk({ promptsIn, config: { REIN_SESSIONS_MAX_FILE_BYTES: '4000' } })
  const second = walked.requests[2] as SimRequest
  const all = messagesOf(second)
  return {
    ...walked,
    afterFirst: prefixOf(second, walked.prompts[1] ?? ''),
    afterSecond: (request) => expect(messagesOf(request).slice(0, all.length)).toEqual(all),
  }
}

test('the files alone, or the conversation alone; what cannot be restored is named, and edits of a person come back', async () => {
  const { client, cwd, target, states, say, afterFirst, afterSecond } = await twoTurns()
  const [before] = await client.ps({})
  const code = await client.rewind({ ...target, turn: '1', part: 'code' })
  expect(code).toMatchObject({ from: '2', to: '1', part: 'code', isRunning: true, outside: [outside(cwd)] })
  expect(code.changes).toMatchObject([{ path: 'made.txt', kind: 'added' }])
  expect(code.skipped).toEqual([{ path: 'big', reason: 'too large', bytes: 5000 }])
  expect(files(cwd)).toEqual({ ...states[1], big: states[2]?.['big'] })
  expect(readFileSync(outside(cwd), 'utf8')).toBe('elsewhere')
  const [same] = await client.ps({})
  expect(same?.pid).toBe(before?.pid)
  afterSecond(await say('SAY:files-of-the-first'))

  writeFileSync(join(cwd, 'kept.txt'), Buffer.from([0, 255, 10, 13]))
  writeFileSync(join(cwd, 'mine.txt'), 'by a person\n', { mode: 0o640 })
  rmSync(join(cwd, 'gone.txt'))
  const edited = files(cwd)
  await client.rewind({ ...target, turn: '2' })
  expect(files(cwd)).toEqual(states[2])
  await client.undo(target)
  expect(files(cwd)).toEqual(edited)

  const chat = await client.rewind({ ...target, turn: '1', part: 'chat' })
  expect(chat).toMatchObject({ part: 'chat', changes: [], outside: [], isRunning: true })
  expect(files(cwd)).toEqual(edited)
  expect(prefixOf(await say('SAY:talk-of-the-first'), 'SAY:talk-of-the-first')).toEqual(afterFirst)
})

test('an agent at work is left alone, unless it is to be stopped', async () => {
  const { client, cwd, target, states, say, sim, type, afterFirst } = await twoTurns()
  await type('RUN:echo half > half.txt ;; WAIT:busy ;; RUN:echo late > late.txt ;; SAY:late')
  await sim.reached('busy')
  const atWork = files(cwd)
  await expect(client.rewind({ ...target, turn: '1' })).rejects.toMatchObject({
    code: 'refused',
    message: 'worker is at work (working).',
  })
  expect(files(cwd)).toEqual(atWork)
  await client.rewind({ ...target, turn: '1', stop: true })
  expect(files(cwd)).toEqual({ ...states[1], big: states[2]?.['big'] })
  sim.release('busy')
  expect(prefixOf(await say('SAY:next'), 'SAY:next')).toEqual(afterFirst)
  expect(files(cwd)).toEqual({ ...states[1], big: states[2]?.['big'] })
  await client.undo(target)
  expect(files(cwd)).toEqual(atWork)
})

test('what something writes at that very moment is not overwritten', async () => {
  const writes = `RUN:touch ../on; (setsid sh -c 'while test -e ../on; do date >> log; done' > /dev/null 2>&1 &) ;; SAY:second`
  const { client, cwd, target, states } = await walk({
    promptsIn: () => ['RUN:echo 1 > made.txt ;; SAY:first', writes],
  })
  const refused = client.rewind({ ...target, turn: '1', part: 'code' })
  await expect(refused).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining('log') })
  expect(Object.keys(files(cwd))).toContain('log')
  // An agent that is ended for it takes along what it has left running.
  await client.rewind({ ...target, turn: '1' })
  expect(files(cwd)).toEqual(states[1])
  rmSync(join(cwd, '../on'))
})
