import { EventEmitter, once } from 'node:events'
import { v7 as uuid } from 'uuid'
import { asReinError } from '../../src/contract/errors.ts'
import { expect } from 'vitest'
import { acceptedIds, type Box, type Env, type OwnDaemon, select } from './harness.ts'

export const writers = 8

interface Campaign {
  /** What was answered for, in the order in which each writer got its answers. */
  answered: string[][]
  answers: EventEmitter
  retries: number
  isOver: boolean
  /** Resolves when a daemon serves. */
  serving: Promise<OwnDaemon>
}

/** Tells until it is told to stop; an id that got no answer is told again, as the same directive. */
const write = async (box: Box, campaign: Campaign, answered: string[]): Promise<void> => {
  const client = box.client({ start: false, timeoutMs: 3_000 })
  while (!campaign.isOver) {
    const id = `dir_${uuid()}`
    while (!(await isAnswered(client.tell({ id, target: 'worker', cwd: box.cwd, text: id, from: 'me' })))) {
      campaign.retries += 1
      await campaign.serving
    }
    answered.push(id)
    campaign.answers.emit('one')
  }
}

export const isAnswered = (telling: Promise<unknown>): Promise<boolean> =>
  telling.then(
    () => true,
    (cause: unknown) => {
      if (['unavailable', 'not_in_time'].includes(asReinError(cause).code)) return false
      throw cause
    },
  )

/** Kills the daemon again and again after a random number of answers, while all writers tell. */
export const killOften = async (box: Box, kills: number, random: () => number, fault: Env = {}): Promise<Campaign> => {
  await box.stoppedAgent()
  await box.client().stop()
  const answers = new EventEmitter()
  const serving = box.daemon({ env: fault })
  const campaign = { answered: [...Array(writers)].map(() => []), answers, retries: 0, isOver: false, serving }
  const writing = campaign.answered.map((answered) => write(box, campaign, answered))
  for (let kill = 0; kill < kills; kill += 1) {
    for (let left = 1 + random() * 20; left > 0; left -= 1) await once(answers, 'one')
    const daemon = await campaign.serving
    campaign.serving = daemon.kill().then(() => box.daemon({ env: fault }))
  }
  campaign.isOver = true
  await Promise.all(writing)
  await (await campaign.serving).kill()
  return campaign
}

/** Nothing that was answered for is lost, nothing is doubled, and each writer's order is kept. */
export const expectAllKept = ({ paths }: Box, { answered, retries }: Campaign): void => {
  const kept = acceptedIds(paths)
  const place = new Map(kept.map((id, index) => [id, index]))
  expect(answered.flat().filter((id) => !place.has(id))).toEqual([])
  expect(kept.length).toBe(place.size)
  for (const ids of answered) expect(ids.toSorted((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0))).toEqual(ids)
  // Without this the kills would not have hit anything.
  expect(retries).toBeGreaterThan(0)
  expect(select(paths, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  const projected = select(paths, 'SELECT id FROM directive ORDER BY id').map(({ id }) => String(id))
  expect(projected).toEqual(kept.toSorted())
}
