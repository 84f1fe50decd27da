import { EventEmitter, once } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { actingAs, type Env, type OwnDaemon, select } from '../process/harness.ts'
import { createTeam, type TeamBox } from '../process/team-box.ts'

interface Campaign {
  /** What was answered for, by each agent in the order in which it got its answers. */
  answered: string[][]
  retries: number
  isOver: boolean
}

type Say = (client: Client, key: string, cwd: string) => Promise<{ id: string }>

const post: Say = (client, key, cwd) => client.post({ cwd, room: 'build', id: `post_${key}`, text: key })
const publish: Say = (client, key, cwd) => client.publish({ cwd, type: 'note', payload: key, dedup: key })

/** Four agents say one thing after the other while the daemon is killed; what got no answer is said again, as the same. */
const killOften = async (team: TeamBox, kills: number, say: Say, fault: Env = {}): Promise<Campaign> => {
  await team.client().stop()
  const answers = new EventEmitter()
  let serving = team.daemon({ env: fault })
  const campaign: Campaign = { answered: [], retries: 0, isOver: false }
  const talk = async (handle: string): Promise<void> => {
    const mine: string[] = []
    campaign.answered.push(mine)
    const client = team.client({ env: actingAs(team, handle), start: false, timeoutMs: 3_000 })
    const isSaid = (key: string) =>
      say(client, key, team.cwd).then(
        ({ id }) => mine.push(id) > 0,
        () => false,
      )
    for (let n = 1; !campaign.isOver; n += 1) {
      while (!(await isSaid(`${handle}-${n}`))) {
        campaign.retries += 1
        await serving
      }
      answers.emit('one')
    }
  }
  const talking = four.map(talk)
  for (let kill = 0; kill < kills; kill += 1) {
    for (let left = 4 + kill; left > 0; left -= 1) await once(answers, 'one')
    serving = serving.then((daemon: OwnDaemon) => daemon.kill()).then(() => team.daemon({ env: fault }))
    await serving
  }
  campaign.isOver = true
  await Promise.all(talking)
  await (await serving).kill()
  return campaign
}

const four = ['ada', 'bob', 'cid', 'dot']

describe('kill -9 while four agents talk', () => {
  test('loses no message that was answered for, doubles none, leaves no gap and keeps every order', async () => {
    const team = await createTeam(four)
    const { answered, retries } = await killOften(team, 4, post)
    const rows = select(team.paths, 'SELECT n, id FROM post ORDER BY n')
    const ids = rows.map(({ id }) => String(id))
    expect(rows.map(({ n }) => n)).toEqual(ids.map((_, index) => index + 1))
    expect(new Set(ids).size).toBe(ids.length)
    for (const mine of answered) expect(ids.filter((id) => mine.includes(id))).toEqual(mine)
    // Without these the kills would not have hit anything.
    expect([answered.flat().length > 20, retries > 0]).toEqual([true, true])
  })

  test('is seen by this test to lose what was answered before it was committed', async () => {
    const team = await createTeam(four)
    const { answered } = await killOften(team, 2, publish, { REIN_FAULT: 'answer_before_commit' })
    const kept = select(team.paths, 'SELECT id FROM bus_event').map(({ id }) => id)
    expect(answered.flat().filter((id) => !kept.includes(id)).length).toBeGreaterThan(0)
  })
})
