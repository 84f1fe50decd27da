import { v7 as uuid } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { seeded, testSeed } from '../support/seeded.ts'
import { acceptedIds, type Box, createBox } from './harness.ts'
import { expectAllKept, isAnswered, killOften, writers } from './kill-often.ts'

/** Of a daemon that answers too early. */
const countLost = async (random: () => number): Promise<number> => {
  const box = createBox()
  const { answered } = await killOften(box, 1, random, { REIN_FAULT: 'answer_before_commit' })
  const kept = new Set(acceptedIds(box.paths))
  return answered.flat().filter((id) => !kept.has(id)).length
}

describe(`kill -9 while ${writers} clients tell`, () => {
  test('loses nothing that was answered for, doubles nothing, keeps every order', async () => {
    const box = createBox()
    const campaign = await killOften(box, 3, seeded(testSeed))
    expectAllKept(box, campaign)
    expect(campaign.answered.flat().length).toBeGreaterThan(3)
  })

  test('is seen by this test to lose what was answered before it was committed', async () => {
    // A kill may come when all is committed for once; it does not come so every time.
    let lost = 0
    for (let tries = 0; tries < 10 && lost === 0; tries += 1) lost = await countLost(seeded(testSeed + tries))
    expect(lost).toBeGreaterThan(0)
  })
})

describe('a daemon that dies', () => {
  const points = ['before_commit', 'after_append'] as const
  const cases = points.flatMap((point) => [2, 7].map((commit) => [point, commit] as const))

  let box: Box
  beforeAll(async () => {
    let clean = (): void => undefined
    box = createBox({}, (end) => {
      clean = end
    })
    await box.stoppedAgent()
    await box.client().stop()
    return clean
  })
  /** Those of one test. */
  const keptOf = (ids: string[]): string[] => acceptedIds(box.paths).filter((id) => ids.includes(id))

  test.each(cases)('at %s:%i keeps each directive once', async (point, commit) => {
    const doomed = await box.daemon({ env: { REIN_FAULT: `${point}:${commit}` } })
    const ids = [...Array(12).keys()].map(() => `dir_${uuid()}`)
    const tell = (id: string) =>
      box.client({ start: false }).tell({ id, target: 'worker', cwd: box.cwd, text: id, from: 'me' })
    const before: string[] = []
    for (const id of ids) if (await isAnswered(tell(id))) before.push(id)
    expect(await doomed.ended).toBe('SIGKILL')
    expect(keptOf(ids)).toEqual(expect.arrayContaining(before))
    const healthy = await box.daemon()
    for (const id of ids) expect(await isAnswered(tell(id))).toBe(true)
    await healthy.kill()
    expect(keptOf(ids).toSorted()).toEqual(ids.toSorted())
  })

  test('by a fault that is none does not start', async () => {
    await expect(createBox().daemon({ env: { REIN_FAULT: 'yes' } })).rejects.toThrow('REIN_FAULT is for tests')
  })
})
