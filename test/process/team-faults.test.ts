import { describe, expect, test } from 'vitest'
import { codeOf, countRecords, createTeam, doom, untilRecords } from './team-box.ts'

const text = (words: string): unknown => expect.stringContaining(words)

describe('a daemon that is killed', () => {
  test('between a message and telling of it: the next one tells each agent, once', async () => {
    const team = await createTeam(['ada', 'bob'])
    const doomed = await doom(team, 'after_post_append')
    const post = { cwd: team.cwd, room: 'build', id: 'post_1', text: '@ada the build is red' }
    expect(await codeOf(team.client({ start: false }).post(post))).toBe('unavailable')
    expect([await doomed.ended, countRecords(team, 'directive.accepted')]).toEqual(['SIGKILL', 0])

    const second = await team.daemon()
    await untilRecords(team, 'directive.accepted', 2)
    const mentions = await team.told('ada', 'mention')
    expect(mentions).toMatchObject([{ excerpt: '@ada the build is red', from: 'the user' }])
    // Whoever sends it again is told what became of it.
    const again = { n: 1, mentions: [{ handle: 'ada', directive: mentions[0]?.id, damped: false }] }
    expect(await team.client().post(post)).toMatchObject(again)
    await second.kill()
    await team.daemon()
    expect(await team.client().post(post)).toMatchObject(again)
    expect(await team.told('ada', 'mention')).toHaveLength(1)
    // Who has the message itself needs no notice of it.
    expect([await team.told('ada', 'notice'), await team.told('bob', 'notice')]).toMatchObject([
      [],
      [{ excerpt: text('build (1)') }],
    ])
    expect(await team.unread()).toEqual({ ada: 1, bob: 1, user: 0 })
  })

  test('between an event and telling of it: the next one tells each agent, once', async () => {
    const team = await createTeam(['ada', 'bob'])
    const doomed = await doom(team, 'after_event_append')
    const event = { cwd: team.cwd, type: 'task-blocked', payload: 'no database', dedup: 'one' }
    expect(await codeOf(team.client({ start: false }).publish(event))).toBe('unavailable')
    expect([await doomed.ended, countRecords(team, 'directive.accepted')]).toEqual(['SIGKILL', 0])

    await team.daemon()
    await untilRecords(team, 'directive.accepted', 2)
    expect(await team.client().publish(event)).toMatchObject({ duplicate: true })
    for (const handle of ['ada', 'bob'])
      expect(await team.told(handle, 'notice')).toMatchObject([{ excerpt: text('wait for you: 1 high') }])
  })

  test('between a check-in and telling of it: each slot has one, and each is told once', async () => {
    const often = { REIN_TEAM_CHECKIN_MINUTES: '0.02' }
    const team = await createTeam(['ada', 'bob'])
    const doomed = await doom(team, 'after_post_append', often)
    expect([await doomed.ended, countRecords(team, 'directive.accepted')]).toEqual(['SIGKILL', 0])
    expect(countRecords(team, 'checkin.asked')).toBe(1)

    await team.daemon({ env: often })
    const asked = await untilRecords(team, 'checkin.asked', 2)
    await untilRecords(team, 'directive.accepted', 4)
    expect(new Set(asked.map(({ body }) => body.slot)).size).toBe(2)
    const { posts } = await team.client().posts({ cwd: team.cwd, room: 'build', last: 9 })
    expect(posts.map(({ n, kind, mentions }) => [n, kind, mentions.toSorted()])).toEqual([
      [1, 'checkin', ['ada', 'bob']],
      [2, 'checkin', ['ada', 'bob']],
    ])
    for (const handle of ['ada', 'bob'])
      expect([await team.told(handle, 'mention'), await team.told(handle, 'notice')]).toMatchObject([
        [{ excerpt: text('Check-in') }, { excerpt: text('Check-in') }],
        [],
      ])
  })

  test('at the decision that makes a checkpoint due: it is due once', async () => {
    const team = await createTeam(['ada'], { REIN_TEAM_CHECKPOINT_DECISIONS: '2' })
    const doomed = await doom(team, 'after_decision_append:2')
    const decide = (words: string) => team.client({ start: false }).decide({ cwd: team.cwd, text: words })
    expect([await codeOf(decide('tabs')), await codeOf(decide('semicolons'))]).toEqual([null, 'unavailable'])
    expect([await doomed.ended, countRecords(team, 'checkpoint.due')]).toEqual(['SIGKILL', 0])

    const second = await team.daemon()
    const [due] = await untilRecords(team, 'checkpoint.due', 1)
    await untilRecords(team, 'directive.accepted', 1)
    await second.kill()
    await team.daemon()
    expect(await decide('spaces')).toMatchObject({ n: 3, checkpoint: null })
    const { events } = await team.client().events({ cwd: team.cwd, type: 'checkpoint', all: true })
    expect(events).toMatchObject([{ id: due?.body.event, payload: text('"decisions":2'), pending: ['ada'] }])
  })

  test('between posting a message of a channel and noting that: it is in the room once', async () => {
    const team = await createTeam(['ada'])
    await team.rein(['channel', 'route', 'phone', 'room:build'])
    const doomed = await doom(team, 'after_post_append')
    const receive = () => team.client({ start: false }).receive({ name: 'phone', content: '@ada ship it', key: 'one' })
    expect(await codeOf(receive())).toBe('unavailable')
    expect(await doomed.ended).toBe('SIGKILL')
    expect([countRecords(team, 'chat.posted'), countRecords(team, 'message.routed')]).toEqual([1, 0])

    await team.daemon()
    await untilRecords(team, 'message.routed', 1)
    await untilRecords(team, 'directive.accepted', 1)
    expect(await receive()).toMatchObject({ state: 'routed', room: 'build' })
    expect([countRecords(team, 'chat.posted'), countRecords(team, 'message.routed')]).toEqual([1, 1])
    expect(await team.told('ada', 'mention')).toMatchObject([{ excerpt: '@ada ship it', from: 'channel phone' }])
  })
})

test('a daemon claims no message that is not on disk', async () => {
  const team = await createTeam([])
  await doom(team, 'answer_before_commit')
  expect(await codeOf(team.say('Is this kept?'))).toBe('failed')
})
