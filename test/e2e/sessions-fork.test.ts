import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { claude } from '../../src/drivers/claude/driver.ts'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { messagesOf } from './messages.ts'
import { files, gitOf, prefixOf, type Walked, walk } from './session-walk.ts'

/** Every byte of the file that the agent's conversation is in now. */
const transcriptNow = async ({ client, target, cwd, home }: Walked): Promise<() => string> => {
  const { session } = await client.session(target)
  const file = claude.transcript.locate(session.conversation ?? '', cwd, { HOME: home }) ?? ''
  return () => readFileSync(file, 'utf8')
}

/** What was there before a turn began, by the request that it began with. */
const before = ({ requests, prompts }: Walked, turn: number): unknown[] =>
  prefixOf(requests[turn] as SimRequest, prompts[turn - 1] ?? '')

test('a fork has the files and the conversation of its turn, and the first agent does not notice', async () => {
  const walked = await walk({ turns: 4 })
  const { client, cwd, target, states, requests, say } = walked
  const transcript = await transcriptNow(walked)
  const [talk, git] = [transcript(), gitOf(cwd)]

  const forked = await client.fork({ ...target, turn: '2', worktree: '' })
  expect(forked).toMatchObject({ agent: 'worker-2', turn: '2', cwd: `${cwd}-worker-2`, command: null })
  const { secret: _, ...saved } = states[2] ?? {}
  expect(files(forked.cwd)).toEqual(saved)
  const elsewhere = 'RUN:echo forked > forked.txt && rm made.txt ;; SAY:elsewhere'
  expect(prefixOf(await say(elsewhere, 'worker-2'), elsewhere)).toEqual(before(walked, 3))
  expect(Object.keys(files(forked.cwd))).toContain('forked.txt')
  const again = client.fork({ ...target, turn: '2', handle: 'worker-2', worktree: '../again' })
  await expect(again).rejects.toMatchObject({ code: 'handle_taken' })
  expect(existsSync(`${cwd}/../again`)).toBe(false)

  const beside = await client.fork({ ...target, turn: '3', handle: 'other' })
  expect(beside).toMatchObject({ agent: 'other', turn: '3', cwd })
  expect(prefixOf(await say('SAY:beside', 'other'), 'SAY:beside')).toEqual(before(walked, 4))

  expect(files(cwd)).toEqual(states[4])
  expect(gitOf(cwd)).toBe(git)
  // The CLI may add to its own file at the end of a turn.
  expect(transcript().slice(0, talk.length)).toBe(talk)
  expect(transcript()).not.toMatch(/SAY:(?:elsewhere|beside)/)
  const own = messagesOf(requests[4] as SimRequest)
  expect(messagesOf(await say('SAY:own')).slice(0, own.length)).toEqual(own)
  const { turns } = await client.session(target)
  const shown = turns.map(({ label, parent, agent }) => `${parent} ${label} ${agent}`)
  const first = ['0 1 worker', '1 2 worker', '2 3 worker', '3 4 worker']
  expect(shown).toEqual([...first, '2 3b worker-2', '3 4b other', '4 5 worker'])
})

test('a conversation is summed up in a new one, and all of it comes back', async () => {
  const walked = await walk({ turns: 2 })
  const { client, target, cwd, states, requests, prompts, say } = walked
  const transcript = await transcriptNow(walked)
  const begun = transcript()
  const { conversation } = await client.compact(target)
  // At its end the CLI itself has added which prompt was the last.
  const talk = transcript()
  expect(talk.slice(0, begun.length)).toBe(begun)
  const { session } = await client.session(target)
  expect(session).toMatchObject({ conversation, current: '2', branches: 2 })
  const summed = await say('SAY:after')
  for (const prompt of prompts) expect(summed.text).not.toContain(prompt)
  expect(summed.text).toContain('continued from a previous conversation')
  expect(transcript()).toBe(talk)

  await client.undo(target)
  expect(transcript().slice(0, talk.length)).toBe(talk)
  expect(files(cwd)).toEqual(states[2])
  const own = messagesOf(requests[2] as SimRequest)
  expect(messagesOf(await say('SAY:again')).slice(0, own.length)).toEqual(own)
  const { turns } = await client.session(target)
  expect(turns.map(({ label, parent }) => `${parent} ${label}`)).toEqual(['0 1', '1 2', '2 3', '2 3b'])
})

test('a fork goes back in its own work tree alone, and takes back its own moves alone', async () => {
  const walked = await walk({ turns: 3 })
  const { client, cwd, target, states, say } = walked
  const other = { ...target, target: 'worker-2' }
  await client.rewind({ ...target, turn: '2' })
  const forked = await client.fork({ ...target, worktree: '' })
  const begin = files(forked.cwd)
  await expect(client.undo(other)).rejects.toThrow('There is nothing to undo')
  await say('RUN:rm -r deep; echo forked > forked.txt ;; SAY:changed', 'worker-2')
  const changed = files(forked.cwd)
  expect(changed).not.toEqual(begin)

  expect(await client.rewind({ ...other, turn: '2' })).toMatchObject({ agent: 'worker-2', from: '3b', to: '2' })
  expect(files(forked.cwd)).toEqual(begin)
  expect(prefixOf(await say('SAY:again', 'worker-2'), 'SAY:again')).toEqual(before(walked, 3))
  await client.undo(other)
  expect(files(forked.cwd)).toEqual(changed)
  // Its own tree has never had these.
  await expect(client.rewind({ ...other, turn: '1' })).rejects.toThrow(
    `There is no snapshot of ${forked.cwd} after turn 1`,
  )
  await expect(client.sessionDiff({ ...other, from: '1', to: 'now' })).rejects.toThrow('another work tree')
  const second = await client.fork({ ...other, turn: '1', worktree: '' })
  expect(second).toMatchObject({ agent: 'worker-2-2', cwd: `${cwd}-worker-2-2` })
  expect(files(second.cwd)['made.txt']).toBe(states[1]?.['made.txt'])

  expect(files(cwd)).toEqual(states[2])
  await client.undo(target)
  expect(files(cwd)).toEqual(states[3])
  expect(files(forked.cwd)).toEqual(changed)
  // Two agents never go on in one conversation.
  const joined = await client.rewind({ ...target, turn: '3b', part: 'chat' })
  expect(joined.conversation).not.toBe(forked.conversation)
  expect((await say('SAY:joined')).text).toContain('SAY:changed')
})
