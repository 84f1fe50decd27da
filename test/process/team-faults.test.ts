import { describe, expect, test } from 'vitest'
import { asReinError } from '../../src/contract/errors.ts'
import { select } from './harness.ts'
import { createTeam, type TeamBox, untilRecords } from './team-box.ts'

/** The daemon gives way to one that ends as by `kill -9` right after such a record is on disk. */
const doom = async (team: TeamBox, point: string) => {
  await team.client().stop()
  return team.daemon({ env: { REIN_FAULT: point } })
}

const codeOf = (asking: Promise<unknown>): Promise<string | null> =>
  asking.then(
    () => null,
    (cause: unknown) => asReinError(cause).code,
  )

const accepted = ({ paths }: TeamBox): number =>
  select(paths, "SELECT 1 FROM record WHERE type = 'directive.accepted'").length

describe('a daemon that is killed', () => {
  test('between a post and telling of it: the next one tells, each agent once', async () => {
    const team = await createTeam(['ada', 'bob'])
    const doomed = await doom(team, 'after_post_append')
    const post = { cwd: team.cwd, room: 'build', id: 'post_1', text: '@ada the build is red' }
    expect(await codeOf(team.client({ start: false }).post(post))).toBe('unavailable')
    expect([await doomed.ended, accepted(team)]).toEqual(['SIGKILL', 0])

    const second = await team.daemon()
    await untilRecords(team, 'directive.accepted', 2)
    expect(await team.told('ada', 'mention')).toMatchObject([
      { excerpt: '@ada the build is red', from: 'the person in charge' },
    ])
    console.log(await team.told('ada', 'notice'))
    expect(await team.told('bob', 'notice')).toMatchObject([
      { excerpt: expect.stringContaining('build (1)') as string },
    ])
    console.log(await team.client().post(post))
    await second.kill()
    await team.daemon()
    console.log(await team.client().post(post))
    expect((await team.told('ada', 'mention')).length).toBe(1)
    expect(await team.unread()).toEqual({ ada: 1, bob: 1, user: 0 })
  })

  test('between an event and telling of it: the next one tells', async () => {
    const team = await createTeam(['ada', 'bob'])
    const doomed = await doom(team, 'after_event_append')
    const event = { cwd: team.cwd, type: 'task-blocked', payload: 'db is down' }
    expect(await codeOf(team.client({ start: false }).publish(event))).toBe('unavailable')
    expect([await doomed.ended, accepted(team)]).toEqual(['SIGKILL', 0])
    await team.daemon()
    await untilRecords(team, 'directive.accepted', 2)
    for (const handle of ['ada', 'bob'])
      expect(await team.told(handle, 'notice')).toMatchObject([
        { excerpt: expect.stringContaining('1 high') as string },
      ])
    console.log(await team.told('ada', 'notice'))
  })

  test('between a check-in and telling of it: one in each slot, told once', async () => {
    const t = Date.now()
    const team = await createTeam(['ada', 'bob'], { REIN_TEAM_CHECKIN_MINUTES: '0.02' })
    console.log('created', Date.now() - t)
    const doomed = await doom(team, 'after_post_append')
    console.log('doomed', Date.now() - t)
    void doomed.ended.then(() => console.log('ended', Date.now() - t))
    expect([await doomed.ended, accepted(team)]).toEqual(['SIGKILL', 0])
    await team.daemon()
    const asked = await untilRecords(team, 'checkin.asked', 2)
    await untilRecords(team, 'directive.accepted', 4)
    console.log(JSON.stringify(asked.map((r) => r.body)))
    console.log(await team.told('ada', 'mention'), await team.told('ada', 'notice'))
  })

  test('at the decision that makes a checkpoint due: it is due once', async () => {
    const team = await createTeam(['ada'], { REIN_TEAM_CHECKPOINT_DECISIONS: '2' })
    const doomed = await doom(team, 'after_decision_append:2')
    const decide = (text: string) => team.client({ start: false }).decide({ cwd: team.cwd, text })
    await decide('one')
    expect(await codeOf(decide('two'))).toBe('unavailable')
    await doomed.ended
    const second = await team.daemon()
    const [due] = await untilRecords(team, 'checkpoint.due', 1)
    console.log(due)
    await untilRecords(team, 'directive.accepted', 1)
    await second.kill()
    await team.daemon()
    console.log(
      await team.told('ada', 'notice'),
      (await team.client().events({ cwd: team.cwd, all: true })).events.length,
    )
  })
})
