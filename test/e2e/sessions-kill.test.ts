import { EventEmitter, once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Progress } from '../../src/contract/routes/route.ts'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { seeded } from '../support/seeded.ts'
import { messagesOf } from './messages.ts'
import { files, gitOf, prefixOf, type Walked, walk } from './session-walk.ts'

/** So many files that writing and removing them takes its time. */
const prompts = [
  'RUN:rm gone.txt ;; SAY:first',
  'RUN:mkdir -p a/b && for i in $(seq 1500); do echo $i > a/b/$i; done; mv moved.txt a ;; SAY:second',
  'RUN:echo again > gone.txt; chmod 755 a/b/7; ln -s b a/link ;; SAY:third',
]

/** A moment in a rewind: a part of the time that one takes, or of the files that it brings back. */
type Moment = { ofTime: number } | { ofFiles: number }

const momentsBy = (random: () => number): Moment[] => [
  { ofTime: random() },
  ...Array.from({ length: 2 }, (_, index) => ({ ofFiles: (index + random()) / 2 })),
]

/** Rewinds, and kills the daemon meanwhile; whether the rewind was said to be done. */
const killedAt = async (walked: Walked, turn: number, moment: Moment, duration: number): Promise<boolean> => {
  const { client, target, killDaemon } = walked
  const news = new EventEmitter()
  const heed = ({ what, done, total }: Progress): void => {
    if ('ofFiles' in moment && what === 'restoring the files' && done >= total * moment.ofFiles) news.emit('reached')
  }
  const reached = 'ofTime' in moment ? after(moment.ofTime * duration) : once(news, 'reached')
  const moving = client.rewind({ ...target, turn: String(turn) }, heed).then(
    () => true,
    () => false,
  )
  await Promise.race([reached, moving])
  await killDaemon()
  return moving
}

/** Resolves when nothing is left open, and the agent runs. */
const recovered = async ({ client, target }: Walked): Promise<void> => {
  const ended = new AbortController()
  const look = async (topic: string): Promise<void> => {
    for await (const _ of client.tail({ topic, after: 0, follow: true }, ended.signal)) {
      const { session, moves } = await client.session(target)
      if (session.state === 'idle' && moves.every(({ state }) => state !== 'open')) return
    }
  }
  await Promise.race([look('sessions'), look('agents')])
  ended.abort()
}

test('a daemon that is killed in a rewind leaves the old state or the new', { timeout: 900_000 }, async () => {
  const walked = await walk({ promptsIn: () => prompts })
  const { client, cwd, target, states, requests, say } = walked
  const git = gitOf(cwd)
  const probe = await say('SAY:probe')
  const prefixes: Record<number, unknown[]> = {
    1: prefixOf(requests[2] as SimRequest, prompts[1] ?? ''),
    3: prefixOf(probe, 'SAY:probe'),
  }
  const start = performance.now()
  await client.rewind({ ...target, turn: '1' })
  const duration = performance.now() - start
  await client.undo(target)
  let here = { turn: 3, messages: messagesOf(probe) }
  for (const [index, moment] of momentsBy(seeded(8)).entries()) {
    const to = here.turn === 1 ? 3 : 1
    const isDone = await killedAt(walked, to, moment, duration)
    await recovered(walked)
    const found = files(cwd)
    const isNew = JSON.stringify(found) === JSON.stringify(states[to])
    expect(found).toEqual(states[isNew ? to : here.turn])
    expect(isNew || !isDone).toBe(true)
    const prompt = `SAY:probe-${index}`
    const request = await say(prompt)
    const prefix = prefixOf(request, prompt)
    // What was last said to it, and its answer; or what was there after the turn.
    expect(isNew ? prefix : prefix.slice(0, -1)).toEqual(isNew ? prefixes[to] : here.messages)
    here = { turn: isNew ? to : here.turn, messages: messagesOf(request) }
  }
  const last = files(cwd)
  await client.rewind({ ...target, turn: '3' })
  expect(files(cwd)).toEqual(states[3])
  expect(gitOf(cwd)).toBe(git)
  await client.undo(target)
  expect(files(cwd)).toEqual(last)
})
