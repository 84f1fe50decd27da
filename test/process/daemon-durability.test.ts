import { randomInt } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { asReinError } from '../../src/contract/errors.ts'
import { seeded } from '../seeded.ts'
import { acceptedIds, type Box, createBox, type Env, type OwnDaemon, select } from './harness.ts'

const writers = 8

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

const isAnswered = (telling: Promise<unknown>): Promise<boolean> =>
  telling.then(
    () => true,
    (cause: unknown) => {
      if (['unavailable', 'not_in_time'].includes(asReinError(cause).code)) return false
      throw cause
    },
  )

/** Kills the daemon again and again after a random number of answers, while all writers tell. */
const killOften = async (box: Box, kills: number, random: () => number, fault: Env = {}): Promise<Campaign> => {
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

const seed = Number(process.env['REIN_TEST_SEED'] ?? randomInt(2 ** 31))

describe(`kill -9 while ${writers} clients tell (REIN_TEST_SEED=${seed})`, () => {
  test('loses nothing that was answered for, doubles nothing, keeps every order', async () => {
    const box = createBox()
    const { answered, retries } = await killOften(box, 30, seeded(seed))
    const kept = acceptedIds(box.paths)
    const place = new Map(kept.map((id, index) => [id, index]))
    expect(answered.flat().filter((id) => !place.has(id))).toEqual([])
    expect(kept.length).toBe(place.size)
    for (const ids of answered) expect(ids.toSorted((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0))).toEqual(ids)
    // Without these the kills would not have hit anything.
    expect(answered.flat().length).toBeGreaterThan(100)
    expect(retries).toBeGreaterThan(0)
    expect(select(box.paths, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(projected(box)).toEqual(kept.toSorted())
  })

  test('is seen by this test to lose what was answered before it was committed', async () => {
    const box = createBox()
    const { answered } = await killOften(box, 5, seeded(seed), { REIN_FAULT: 'answer_before_commit' })
    const kept = new Set(acceptedIds(box.paths))
    expect(answered.flat().filter((id) => !kept.has(id)).length).toBeGreaterThan(0)
  })
})

const projected = ({ paths }: Box): string[] =>
  select(paths, 'SELECT id FROM directive ORDER BY id').map(({ id }) => String(id))

describe('a daemon that dies', () => {
  const points = ['before_commit', 'after_append'] as const
  const cases = points.flatMap((point) => [2, 7].map((commit) => [point, commit] as const))

  test.each(cases)('at %s:%i keeps each directive once', async (point, commit) => {
    const box = createBox()
    await box.stoppedAgent()
    await box.client().stop()
    const doomed = await box.daemon({ env: { REIN_FAULT: `${point}:${commit}` } })
    const ids = [...Array(12).keys()].map(() => `dir_${uuid()}`)
    const tell = (id: string) =>
      box.client({ start: false }).tell({ id, target: 'worker', cwd: box.cwd, text: id, from: 'me' })
    const before: string[] = []
    for (const id of ids) if (await isAnswered(tell(id))) before.push(id)
    expect(await doomed.ended).toBe('SIGKILL')
    expect(acceptedIds(box.paths)).toEqual(expect.arrayContaining(before))
    const healthy = await box.daemon()
    for (const id of ids) expect(await isAnswered(tell(id))).toBe(true)
    await healthy.kill()
    expect(acceptedIds(box.paths).toSorted()).toEqual(ids.toSorted())
  })

  test('by a fault that is none does not start', async () => {
    await expect(createBox().daemon({ env: { REIN_FAULT: 'yes' } })).rejects.toThrow('REIN_FAULT is for tests')
  })
})
