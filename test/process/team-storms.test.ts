import { beforeAll, describe, expect, test } from 'vitest'
import { newRecord } from '../../src/contract/record.ts'
import { projectors } from '../../src/daemon/schema.ts'
import { LogWriter } from '../../src/log/writer.ts'
import { openForWriting } from '../../src/store/sqlite.ts'
import { createTeam, type TeamBox } from './team-box.ts'

const say = (team: TeamBox, handle: string, text: string) =>
  team.as(handle).post({ cwd: team.cwd, room: 'build', text })

const open = async (team: TeamBox, handle: string, type: 'mention' | 'notice') =>
  (await team.client().inbox({ target: handle, cwd: team.cwd })).filter((item) => item.type === type)

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('agents that call each other', async () => {
  const team = await createTeam(['ada', 'bob'])
  const [ada, bob] = [team.as('ada'), team.as('bob')]
  const storm = numbered(200).flatMap((n) => [
    ada.post({ cwd: team.cwd, room: 'build', text: `@bob${n % 2 ? '!' : ''} ${n}` }),
    bob.post({ cwd: team.cwd, room: 'build', text: `@ada ${n}` }),
  ])
  const posted = await Promise.all(storm)
  console.log(posted.filter((p) => p.mentions[0]?.damped).length, posted.filter((p) => p.mentions[0]?.directive).length)
  console.log(
    (await open(team, 'ada', 'mention')).length,
    (await open(team, 'bob', 'mention')).length,
    (await open(team, 'bob', 'notice')).length,
  )
  await team.client().stop()
  await team.client().hello()
  console.log(
    (await open(team, 'ada', 'mention')).length,
    (await open(team, 'bob', 'mention')).length,
    (await open(team, 'bob', 'notice')).length,
  )
})

test('notice', async () => {
  const team = await createTeam(['ada', 'bob', 'cid'])
  await say(team, 'cid', '@ada hello')
  console.log((await open(team, 'bob', 'notice')).length)
  await Promise.all(numbered(20).map((n) => say(team, 'cid', `plain ${n}`)))
  console.log((await open(team, 'bob', 'notice')).length, (await team.told('bob', 'notice')).length)
})
test('full', async () => {
  const team = await createTeam(['ada', 'bob', 'cid'], { REIN_INBOX_LIMIT: '1' })
  await team.client().post({ cwd: team.cwd, room: 'build', text: '@ada one' })
  console.log(
    await team
      .client()
      .post({ cwd: team.cwd, room: 'build', text: '@ada @bob two' })
      .catch((e) => e),
  )
  console.log(
    await team.unread(),
    (await team.told('bob', 'mention')).length,
    (await team.told('cid', 'notice')).length,
  )
})
